"""Laws of everything that a game presents: views, scores, reasons, texts and pictures."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping
from functools import lru_cache
from random import Random
from typing import Any, Final
from xml.etree import ElementTree

import jsonschema_rs

from atoll.engine import Event, Game, Numbers, Position, WordsError
from atoll.engine.languages import ENGLISH, LANGUAGES
from atoll.engine.rulebook import wording
from atoll.engine.state import Visibility, declarations, may_know
from atoll.engine.translations import GameMessages, catalogue_keys
from atoll.engine.view import view_state
from atoll.picture import Region, render_table
from atoll.picture.elements import elements
from atoll.picture.loading import picture_of
from atoll.picture.patterns import choice_for_pattern

from .cases import Case
from .play import BrokenLaw, Effort, Law, finished, moments, moments_and_end, moments_at, random_game, viewers

MOST_TEXTS: Final = 2000
_ID: Final = re.compile(r'\bid="([^"]*)"')


def texts_parse_back(case: Case, effort: Effort) -> None:
    """Check that every choice has a text that parses to it."""
    game = case.game
    size = game.vocabulary.size
    choices: Any = range(size) if size <= MOST_TEXTS else Random(case.seed).sample(range(size), MOST_TEXTS)
    offers = [
        choice
        for position in moments(case, effort.moments)
        for seat in position.to_move
        for choice in position.legal_choices(seat)
    ]
    for choice in offers:
        game.text(choice)
    for choice in (*choices, *offers):
        kind = game.vocabulary.kind_of(choice)
        parts = kind.parts(choice)
        if kind.choice(*parts) != choice:
            raise BrokenLaw(f"{kind!r}: {choice} has the parts {parts}, which make {kind.choice(*parts)}")
        if not _is_named(game, choice):
            continue
        text = game.text(choice)
        if game.parse(text) != choice:
            raise BrokenLaw(f"choice {choice} is written {text!r}, which is read as {game.parse(text)}")


def _is_named(game: Game, choice: int) -> bool:
    """Return whether the components have everything that a choice refers to.

    They may have fewer elements than the game supports.
    """
    kind = game.vocabulary.kind_of(choice)
    parts = zip(kind.parts(choice), kind.domains, strict=True)
    return all(part < len(game.notation.names(domain.name)) for part, domain in parts)


def scores_are_explained(case: Case, effort: Effort) -> None:
    """Check that score lines sum to scores, parts to lines, and that ranks follow the scores.

    Ranks are counted as 1, 1, 3. In a solo game the rank is 1 for a win and 2 for a loss.

    Args:
        case: The case.
        effort: The effort.

    Raises:
        BrokenLaw: If they don't.
    """
    for position in moments_and_end(case, effort.moments):
        scores, places, explained = position.scores(), position.ranking(), position.explain()
        if not len(scores) == len(places) == len(explained) == position.seats:
            raise BrokenLaw(f"scores {scores}, places {places}, explained {len(explained)}: expected one per seat")
        for seat, lines in enumerate(explained):
            total = sum(line.points for line in lines)
            if total != scores[seat]:
                raise BrokenLaw(f"seat {seat} scores {scores[seat]}, but its lines sum up to {total}")
            for line in lines:
                if line.parts and sum(part.points for part in line.parts) != line.points:
                    raise BrokenLaw(f"line {line.key!r} of seat {seat} has {line.points} points, but not its parts")
        for one in range(position.seats):
            beaten_alone = places == [2]
            if places[one] != 1 + sum(other < places[one] for other in places) and not beaten_alone:
                raise BrokenLaw(f"places {places}: tied seats share a place, and the next place is skipped")
            for two in range(position.seats):
                if scores[one] > scores[two] and places[one] >= places[two]:
                    raise BrokenLaw(f"scores {scores}, places {places}: the higher score must be the better place")


def amounts_stay_below_their_bound(case: Case, effort: Effort) -> None:
    """Check that no offered amount is the highest of its kind, so that the bound never matters."""
    kinds = []
    for kind in case.game.vocabulary.kinds:
        for index, domain in enumerate(kind.domains):
            if not kind.is_chance and isinstance(domain, Numbers) and "amount" in domain.name:
                kinds.append((kind, index, domain))
    if not kinds:
        return
    for position in moments_at(case, range(len(random_game(case).applied))):
        for seat in position.to_move:
            for choice in position.legal_choices(seat):
                for kind, index, domain in kinds:
                    if choice in kind and kind.parts(choice)[index] == domain.size - 1:
                        raise BrokenLaw(
                            f"{position.text(choice)!r} is on offer: {domain.high} is the bound of the kind"
                        )


@lru_cache(maxsize=32)
def _validator(game: Game) -> Any:
    """Return the cached validator of a game's view schema."""
    return jsonschema_rs.validator_for(game.view_schema())


def views_are_what_they_should_be(case: Case, effort: Effort) -> None:
    """Check that views are plain data, match the schema, and show only declared information."""
    validator = _validator(case.game)
    for position in moments_and_end(case, effort.moments):
        for viewer in viewers(position):
            view = position.view(viewer)
            try:
                again = json.loads(json.dumps(view))
            except (TypeError, ValueError) as error:
                raise BrokenLaw(f"the view of {viewer} can't be written as JSON: {error}") from error
            if again != view or list(again) != list(view):
                raise BrokenLaw(f"the view of {viewer} isn't plain data")
            for wrong in validator.iter_errors(view):
                where = "/".join(map(str, wrong.instance_path))
                raise BrokenLaw(f"the view of {viewer} doesn't fit the schema: {where}: {wrong.message[:300]}")
            for name, visibility in declarations(case.game.state_type):
                _check_shown(position.state, name, visibility, viewer, view["state"][name])
            if viewer not in position.to_move and (view["decision"] or {}).get("options") is not None:
                raise BrokenLaw(f"{viewer} sees the options of another seat")


def _hidden(value: Any, counted: bool) -> Any:
    """Return the view of a hidden value: its count if that is public, otherwise None."""
    return {"count": len(value)} if counted and isinstance(value, list) else None


def _check_shown(s: Any, name: str, visibility: Visibility, viewer: int | None, shown: Any) -> None:
    """Check the view of a field against its declaration, independently of the engine.

    Args:
        s: The state.
        name: Name of the field.
        visibility: Declaration of the field.
        viewer: The viewing seat, or None for a spectator.
        shown: The field in the view.

    Raises:
        BrokenLaw: If the view is different.
    """
    value = getattr(s, name)
    if visibility.who == "public" or (visibility.at_end and s.over):
        return
    if visibility.who == "nobody":
        expected: Any = _counts(value, visibility.count)
    elif visibility.who == "known":
        expected = []
        for seat, (cards, masks) in enumerate(zip(value, getattr(s, visibility.masks), strict=True)):
            seen = sorted(card for card, mask in zip(cards, masks, strict=True) if may_know(mask, viewer))
            expected.append(seen if seat == viewer else {"count": len(cards), "known": seen})
    else:
        expected = [
            shown[seat] if seat == viewer else _hidden(each, visibility.count) for seat, each in enumerate(value)
        ]
    if shown != expected:
        raise BrokenLaw(f"{name} shows {viewer} {str(shown)[:200]}; expected {str(expected)[:200]}")


def _counts(value: Any, counted: bool) -> Any:
    """Return the view of nested hidden values."""
    if counted and value and isinstance(value[0], list):
        return [_counts(each, counted) for each in value]
    return _hidden(value, counted)


def reasons_are_given(case: Case, effort: Effort) -> None:
    """Check that `why_not` explains all illegal choices and no legal ones, and changes nothing."""
    rng = Random(case.seed)
    game = case.game
    words = [GameMessages(game, language) for language in LANGUAGES]
    for position in moments_and_end(case, effort.moments):
        for seat in range(position.seats):
            view = position.view(seat)
            before = json.dumps(view)
            options = position.legal_choices(seat)
            for choice in rng.sample(options, min(effort.choices, len(options))):
                reason = game.why_not(view, choice)
                if reason is not None:
                    raise BrokenLaw(f"{position.text(choice)!r} is offered, but why_not says {reason.key!r}")
            for _ in range(effort.choices):
                choice = rng.randrange(game.vocabulary.decisions)
                if choice in options or not _is_named(game, choice):
                    continue
                reason = game.why_not(view, choice)
                if reason is None:
                    raise BrokenLaw(f"{position.text(choice)!r} isn't offered, and why_not doesn't say why")
                for each in words:
                    _must_say(each, "reason", each.reason, reason)
                    _must_know_rule(each, reason.rule, position)
            if json.dumps(view) != before:
                raise BrokenLaw("why_not changes the view")


def tables_are_rebuilt_from_views(case: Case, effort: Effort) -> None:
    """Check that a state rebuilt from a view gives the same view again."""
    for position in moments_and_end(case, effort.moments):
        for viewer in viewers(position):
            view = position.view(viewer)
            again = view_state(case.game.state_from_view(view), viewer)
            for name, shown in view["state"].items():
                if again[name] != shown:
                    raise BrokenLaw(f"{name} shows {viewer} {str(shown)[:200]}; rebuilt: {str(again[name])[:200]}")


def _must_say(words: GameMessages, what: str, say: Callable[..., str | None], *about: Any) -> None:
    """Check that a text exists and isn't empty.

    Args:
        words: Messages of the game.
        what: The kind of text, for the message.
        say: Function that returns the text, or None.
        *about: Arguments of the function.

    Raises:
        BrokenLaw: If it doesn't exist or is empty.
    """
    try:
        text = say(*about)
    except (WordsError, LookupError, TypeError) as error:
        raise BrokenLaw(f"{what} in {words.language!r}: {error}") from error
    if text is not None and not text.strip():
        raise BrokenLaw(f"{what} in {words.language!r} is empty")


def _must_know_rule(words: GameMessages, rule: str, at: Position) -> None:
    """Check that a rule has a heading and a text."""
    if rule:
        facts = words.game.rule_facts(words.game.components, at.seats, at.options)
        _must_say(words, f"heading of rule {rule!r}", words.say, f"rule.{rule}.title")
        _must_say(words, f"rule {rule!r}", words.say, wording(words.game, rule, at.seats, at.options), facts)


def all_is_said(case: Case, effort: Effort) -> None:
    """Check that prompts, choices, log lines, scores and rules have texts in every language."""
    seats = [f"Player {seat}" for seat in range(case.seats)]
    words = [GameMessages(case.game, language, seats) for language in LANGUAGES]
    rng = Random(case.seed)
    for position in moments(case, effort.moments * 2):
        for each in words:
            for seat in position.to_move:
                ask = position.decision(seat)
                _must_say(each, "prompt", each.prompt, ask)
                _must_know_rule(each, ask.rule, position)
                for choice in rng.sample(list(ask.choices), min(effort.choices, len(ask.choices))):
                    _must_say(each, "choice", each.choice, choice, ask.prompt)
            if position.pending_chance:
                for choice in list(position.outcomes())[: effort.choices]:
                    _must_say(each, "chance", each.choice, choice)
    end = finished(case)
    kinds: dict[tuple[Any, ...], Event] = {(event.key, *event.hidden, *event.fields): event for event in end.events}
    for each in words:
        for event in kinds.values():
            for viewer in viewers(end):
                _must_say(each, f"log {event.key!r}", each.event, event, viewer)
        for lines in end.explain():
            for line in lines:
                _must_say(each, "score", each.score, line)
                _must_know_rule(each, line.rule, end)
                for part in line.parts:
                    _must_say(each, "score", each.score, part)


def catalogues_are_complete(case: Case, effort: Effort) -> None:
    """Check that the languages have the same texts, and that options and kinds have texts."""
    game = case.game
    english = catalogue_keys(game.package, ENGLISH)
    for language in LANGUAGES:
        odd = sorted(english ^ catalogue_keys(game.package, language))
        if odd:
            raise BrokenLaw(f"texts in only one of {ENGLISH!r} and {language!r}: {', '.join(odd)}")
    wanted = [f"kind.{kind.name}" for kind in game.vocabulary.kinds]
    for option in game.options:
        wanted += [f"option.{option.id}", f"option.{option.id}.help"]
        described = option.describe()
        if described["type"] == "enum":
            wanted += [f"option.{option.id}.{value}" for value in described["allowed"]]
    words = GameMessages(game, LANGUAGES[0])
    missing = [f"{game.id}.{key}" for key in wanted if not words.has(f"{game.id}.{key}")]
    if missing:
        raise BrokenLaw(f"missing texts: {', '.join(missing)}")
    for language in LANGUAGES:
        if not GameMessages(game, language).title().strip():
            raise BrokenLaw(f"the game has no name in {language!r}")


def every_view_has_a_picture(case: Case, effort: Effort) -> None:
    """Check the pictures of all viewers: well-formed, with unique ids, and without `style`.

    A choice that an element represents must be legal, or `why_not` must explain it.
    """
    game = case.game
    draw = picture_of(game.package).regions
    words = [GameMessages(game, language) for language in LANGUAGES]
    for at, position in enumerate(moments_and_end(case, min(4, effort.moments))):
        for number, viewer in enumerate(viewers(position)):
            turn = (at + number) % len(words)
            view = position.view(viewer)
            regions = draw(game, view, words[turn])
            _must_be_drawn(game, regions, viewer)
            if viewer is not None:
                _must_be_explained(game, regions, view, words[turn])
    render_table(game, finished(case).view(None), GameMessages(game, LANGUAGES[0]))


def _must_be_drawn(game: Game, regions: list[Region], viewer: int | None) -> None:
    """Check that a picture is well-formed.

    Args:
        game: The game.
        regions: The regions of the picture.
        viewer: The viewing seat, or None for a spectator.

    Raises:
        BrokenLaw: If it isn't.
    """
    drawings = [drawing for region in regions for drawing in region.drawings]
    ids = [f"drawing-{drawing.id}" for drawing in drawings] + [f"region-{region.id}" for region in regions]
    ids += [fact.id for region in regions for fact in region.facts]
    ids += [found for drawing in drawings for found in _ID.findall(drawing.markup)]
    doubles = [each for each, count in Counter(ids).items() if count > 1]
    if doubles:
        raise BrokenLaw(f"the picture for {viewer} has ids twice: {', '.join(doubles)}")
    for drawing in drawings:
        try:
            ElementTree.fromstring(f"<svg xmlns='http://www.w3.org/2000/svg'>{drawing.markup}</svg>")  # noqa: S314
        except ElementTree.ParseError as error:
            raise BrokenLaw(f"drawing {drawing.id!r} isn't well-formed: {error}") from error
        if "style=" in drawing.markup:
            raise BrokenLaw(f"drawing {drawing.id!r} has a style attribute, which pages refuse")
    for each in elements(regions).values():
        for pattern in filter(None, map(str.strip, each.choice.split(";"))):
            if choice_for_pattern(game, pattern, ()) is None:
                raise BrokenLaw(f"element {each.id!r} represents {pattern!r}, which isn't a choice")


def _must_be_explained(game: Game, regions: list[Region], view: Mapping[str, Any], words: GameMessages) -> None:
    """Check that the choices of all elements are legal or explained.

    Args:
        game: The game.
        regions: The regions of the picture.
        view: The view.
        words: Messages of the game.

    Raises:
        BrokenLaw: If a choice is neither legal nor explained.
    """
    options = (view["decision"] or {}).get("options", ())
    patterns = {pattern for each in elements(regions).values() for pattern in each.choice.split(";") if pattern.strip()}
    for pattern in sorted(patterns):
        choice = choice_for_pattern(game, pattern, options)
        reason = None if choice is None else game.why_not(view, choice)
        if choice in options:
            if reason is not None:
                raise BrokenLaw(f"{pattern!r} is offered, but why_not says {reason.key!r}")
        elif reason is None:
            raise BrokenLaw(f"an element represents {pattern!r}, which isn't offered, and why_not doesn't say why")
        else:
            _must_say(words, "reason", words.reason, reason)


LAWS: Final[tuple[Law, ...]] = (
    texts_parse_back,
    scores_are_explained,
    amounts_stay_below_their_bound,
    views_are_what_they_should_be,
    tables_are_rebuilt_from_views,
    reasons_are_given,
    all_is_said,
    catalogues_are_complete,
    every_view_has_a_picture,
)
