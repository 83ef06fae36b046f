"""The open decision for pages: its prompt and choices, and the choices that elements stand for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final

from atoll.engine import Game
from atoll.engine.translations import GameMessages, MessageCatalogue
from atoll.engine.vocabulary import Kind, Numbers

from ..domain import model
from . import pictures

_MOST_OPTIONS: Final = 16_384
_GAP: Final = "{n}"  # for a number that scripts know
_AMOUNT: Final = "amount"  # in place of a prompt: the choice as an amount, such as "2 gold"


@dataclass(frozen=True, slots=True)
class ChoiceText:
    """A legal choice for pages.

    Attributes:
        choice: The choice.
        text: Its text form.
        words: Its description.
        parts: Descriptions of its parts.
    """

    choice: int
    text: str
    words: str
    parts: tuple[str, ...]

    def to_json(self) -> list[Any]:
        """Return the choice as the page's scripts read it."""
        return [self.choice, self.text, self.words, self.parts]


@dataclass(frozen=True, slots=True)
class Mix:
    """An amount of each of several things, for pages.

    Attributes:
        submit: What its button does, with the gap `{n}` for the sum of the amounts.
        submit_none: The same if the sum is 0.
        unasked: Sum of the amounts that aren't asked for.
        usual: Amounts that can be chosen with one click; empty for none.
        usual_words: What choosing them does.
    """

    submit: str
    submit_none: str
    unasked: int
    usual: tuple[int, ...]
    usual_words: str

    def to_json(self) -> dict[str, Any]:
        """Return the mix as the page's scripts read it."""
        return {"submit": self.submit, "none": self.submit_none, "unasked": self.unasked}


@dataclass(frozen=True, slots=True)
class Question:
    """A decision for pages.

    Attributes:
        prompt: The prompt as a sentence.
        key: Key of the prompt.
        rule: The rule that asks.
        options: The legal choices; side choices are last.
        amount: Whether steppers ask for it: it is an amount of one thing, or of each thing of a
            mix.
        side_choices: Choices that don't answer the decision and need buttons next to the steppers.
        mix: The mix that is asked for, or None.
    """

    prompt: str
    key: str
    rule: str
    options: tuple[ChoiceText, ...]
    amount: bool
    side_choices: tuple[int, ...]
    mix: Mix | None

    def to_json(self) -> dict[str, Any]:
        """Return the decision as the page's scripts read it."""
        return {
            "prompt": self.prompt,
            "key": self.key,
            "amount": self.amount,
            "beside": self.side_choices,
            "mix": None if self.mix is None else self.mix.to_json(),
            "legal": [option.to_json() for option in self.options],
        }


def question_of(
    game: Game,
    view: Mapping[str, Any] | None,
    words: GameMessages,
    legal: Sequence[int] = (),
    mix: model.Mix | None = None,
) -> Question | None:
    """Return the decision of a view for its viewer.

    Args:
        game: The game.
        view: The view, or None.
        words: Messages of the game.
        legal: Legal choices if they differ from those of the view, as in a set, which is picked in
            any order.
        mix: Facts about a mix of amounts, or None.

    Returns:
        The decision, or None if the viewer isn't asked.
    """
    decision = _asked(view)
    if decision is None:
        return None
    choices: Sequence[int] = legal or decision["options"]
    side_choices = tuple(each for each in choices if each in decision.get("beside", ()))
    answers = [each for each in choices if each not in side_choices]
    options = answers_of(game, view, (*answers, *side_choices), words)
    amount = _is_amount(game, answers, of_mix="set" in decision)
    asked = None if mix is None or not amount else _mix(mix, decision["prompt"], answers, words)
    return Question(
        _prompt(decision, words), decision["prompt"], decision["rule"], options, amount, side_choices, asked
    )


def _mix(mix: model.Mix, prompt: str, legal: Sequence[int], words: GameMessages) -> Mix | None:
    """Return a mix for pages; None if the game doesn't say what its button does."""
    game = words.game.id
    key = f"amounts.{prompt}"
    if not words.has(f"{game}.{key}"):
        return None
    submit = words.say(key, {"n": _GAP})
    none = words.say(f"{key}.none") if words.has(f"{game}.{key}.none") else submit.replace(_GAP, "0")
    # Nothing is due if a game has no text for it: the seat decides what it wants.
    due = mix.usual if words.has(f"{game}.usual.{prompt}") else ()
    amounts = [each for each in due if not _is_none_of(words.game.vocabulary.kind_of(each), each)]
    listed = ", ".join(words.choice(each, _AMOUNT) for each in amounts)
    said = words.say(f"usual.{prompt}", {"amounts": listed}) if due else ""
    return Mix(submit, none, mix.unasked, tuple(each for each in due if each in legal), said)


def fallback_reason(view: Mapping[str, Any] | None, words: GameMessages, site: MessageCatalogue) -> str:
    """Return the reason against a choice that no other reason excludes: something else comes first.

    Args:
        view: The view, or None.
        words: Messages of the game.
        site: Messages of the site.
    """
    decision = _asked(view)
    if decision is None:
        return site.text("table.reason.complete")
    return site.text("why.first", asked=_prompt(decision, words))


def _asked(view: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    decision: Mapping[str, Any] | None = view["decision"] if view is not None else None
    return None if decision is None or "options" not in decision else decision


def _prompt(decision: Mapping[str, Any], words: GameMessages) -> str:
    return words.say(f"prompt.{decision['prompt']}", {"seat": decision["seat"], **decision["about"]})


def options_of(game: Game, choices: Sequence[int], words: GameMessages, prompt: str = "") -> tuple[ChoiceText, ...]:
    """Return choices for pages.

    Args:
        game: The game.
        choices: The choices.
        words: Messages of the game.
        prompt: Key of the prompt that they answer, or "".
    """
    return tuple(_option(game, choice, words, prompt) for choice in choices)


def answers_of(
    game: Game, view: Mapping[str, Any] | None, choices: Sequence[int], words: GameMessages
) -> tuple[ChoiceText, ...]:
    """Return choices for pages, worded as answers to the decision of a view.

    Args:
        game: The game.
        view: The view of the asked seat, or None.
        choices: The choices.
        words: Messages of the game.
    """
    decision = _asked(view)
    if view is None or decision is None:
        return options_of(game, choices, words)
    worded = pictures.answer_texts(game, view, words)
    options = options_of(game, choices, words, decision["prompt"])
    return tuple(replace(each, words=worded.get(each.choice, each.words)) for each in options)


@lru_cache(maxsize=_MOST_OPTIONS)
def _option(game: Game, choice: int, words: GameMessages, prompt: str) -> ChoiceText:
    kind = game.vocabulary.kind_of(choice)
    parts = tuple(words.name(d.name, part) for d, part in zip(kind.domains, kind.parts(choice), strict=True))
    return ChoiceText(choice, game.text(choice), words.choice(choice, prompt), parts)


def staged_texts(game: Game, staged: Sequence[int], words: GameMessages, site: MessageCatalogue) -> list[str]:
    """Return the choices of a turn draft as texts.

    Choices that decline something are included only if there are no others.

    Args:
        game: The game.
        staged: The choices.
        words: Messages of the game.
        site: Messages of the site.
    """
    chosen = [choice for choice in staged if not _is_none_of(game.vocabulary.kind_of(choice), choice)]
    if staged and not chosen:
        return [site.text("bar.nothing")]
    done = [choice for choice in chosen if game.vocabulary.kind_of(choice) not in game.passing_kinds]
    return [words.choice(choice).removesuffix(".") for choice in done or chosen]


def _is_none_of(kind: Kind, choice: int) -> bool:
    """Return whether a choice is the amount 0 of a thing."""
    last = kind.domains[-1] if len(kind.domains) > 1 else None
    return isinstance(last, Numbers) and last.counts and last.low + kind.parts(choice)[-1] == 0


def _is_amount(game: Game, choices: Sequence[int], *, of_mix: bool) -> bool:
    if not choices:
        return False
    kind = game.vocabulary.kind_of(choices[0])
    last = kind.domains[-1] if kind.domains else None
    if choices[-1] not in kind or not isinstance(last, Numbers) or not last.counts:
        return False
    return of_mix or len({kind.parts(choice)[:-1] for choice in choices}) == 1
