"""Chance at a table: could anybody have chosen it? The protocol as an executable specification.

One honest browser (Ada's, seat 0) faces an adversary that is everything else: the server with its database and its
seed, seat 1 (Mallory), seat 2 (a bot), the network. Every order of the adversary's moves is tried, within the
bounds below: offers, offers again after an old database was restored, any commitments, terms shown twice (also to two
tabs at the same moment), answers that say "failed", starts broken off, messages that ask the browser to forget; and in
the end every file that it could publish: any seed, any shares, any commitments, a lie in any one field.

Hashes are symbols: they can be compared, not inverted, and two different inputs never collide. The cryptography is
reduced to who knew and who had fixed something at which time; that is where both earlier protocols broke.

These properties must hold for every file that isn't judged "wrong" and doesn't say that Ada had no part in its start:

  ONE      Once Ada's share is out, all files name the same chance: with k broken starts named there are at most k + 1
           courses that could still be had (so k = 0: no choice at all).
  COUNTED  Every start that was broken off after Ada's share was out is named: named >= shares known - 1.
  BEGUN    When Ada has heard a game begin, every file names the terms under which it did.
  HEARD    Unless it is named that the record was heard in part, the file has every line that Ada received while the
           game ran, and each of her own answers as she gave it.
  FAIR     An honest server is never judged "wrong", whatever network, restarts and closed browsers do to it; and a
           plain game is "proven" (else the judge could say "open" always).

The tests search the protocol, and then the same with one flaw switched on at a time. The flaws of the former protocol
are among them; the search must find each (a search that can't fail shows nothing).
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import NamedTuple

ADA, MALLORY, BOT = 0, 1, 2
SEEDS = ("s0", "s1")
SHARES = ("m0", "m1")  # that Mallory can give
FORGED = ("b0", "b1")  # that a server can put in a bot's place
FIELDS = ("table", "game", "rules", "components", "options", "seats", "algorithm", "first", "start", "takeback")
"""What decides the course of chance beside seed and shares; the terms name each."""

Sealed = tuple[str, ...]
"""A commitment: a symbol that shows nothing of what is in it, and fits nothing else."""


# -- the data ----------------------------------------------------------------------------------------------------------


class Offer(NamedTuple):
    """A round of the table, and the commitment to its seed."""

    number: int
    seed: Sealed


class Terms(NamedTuple):
    """The offer, what each seat has committed to, and all FIELDS: final, before any share is shown.

    Attributes:
        lies: Fields that aren't as Ada was shown them (only in files).
    """

    offer: Offer
    sealed: tuple[Sealed | None, ...]
    lies: frozenset[str] = frozenset()


class File(NamedTuple):
    """The published data of a game."""

    terms: Terms
    seed: str
    shares: tuple[str | None, ...]


class Shown(NamedTuple):
    """A share that a browser has sent under these terms."""

    terms: Terms
    share: str
    taken: bool


class Verdict(NamedTuple):
    """A verdict, the missing evidence or the first difference, and the broken starts."""

    value: str
    named: frozenset[str]
    broken: int = 0


def seal_seed(seed: str) -> Sealed:
    """The server's commitment to its seed."""
    return ("seed", seed)


def seal(offer: Offer, seat: int, share: str) -> Sealed:
    """A seat's commitment to its share; bound to round and seat, so a copy of it can't be opened elsewhere.

    The protocol binds the whole offer here, too; the model does without, so that each check is tried on its own.
    """
    return ("share", str(offer.number), str(seat), share)


# -- flaws -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Flaws:
    """Flaws that a protocol can have; all off is the protocol.

    Attributes:
        taken_is_shown: a share counts as shown only when the server says that it took it; another is given again.
        forgets: the record of shown shares is deleted when the server says that the seat isn't this browser's.
        again: the browser shows its share under a second list of commitments to the same offer.
        kept_late: the browser keeps the terms as they are named after its share was sent.
        late_share_open: a share of a seat that had committed to nothing is "open".
        left_out_open: a share that was committed to and is missing is "open".
        part_right: a record that was heard in part is taken for a whole one.
        accuses: a start in which the browser had no part is "wrong".
        record_unbound: the record that was heard isn't bound to the terms under which the game began.
        unbound: fields of the terms ("seed", "sealed" are those, too) that the file says and nothing had fixed before.
    """

    taken_is_shown: bool = False
    forgets: bool = False
    again: bool = False
    kept_late: bool = False
    late_share_open: bool = False
    left_out_open: bool = False
    part_right: bool = False
    record_unbound: bool = False
    accuses: bool = False
    unbound: frozenset[str] = frozenset()


def digest(terms: Terms, flaws: Flaws) -> tuple[object, ...]:
    """Return all that the hash of the terms binds."""
    offer, out = terms.offer, flaws.unbound
    return (
        offer.number,
        None if "seed" in out else offer.seed,
        terms.lies - out,
        None if "sealed" in out else terms.sealed,
    )


# -- the honest browser ------------------------------------------------------------------------------------------------


class Browser(NamedTuple):
    """The data that Ada's browser stores.

    Attributes:
        again: A share that it takes for unshown and gives once more (only by a flaw).
        heard: The terms under which it has heard a game begin. It takes part in no other start of this table then.
    """

    offer: Offer | None = None
    shown: tuple[Shown, ...] = ()
    again: str = ""
    heard: Terms | None = None

    def share(self) -> str:
        """Return its share for the present offer, never the same for two."""
        assert self.offer is not None
        return self.again or f"a{self.offer.number}{self.offer.seed[1]}"

    def offered(self, offer: Offer, flaws: Flaws) -> Browser:
        """It keeps an offer and commits."""
        if not flaws.taken_is_shown:
            return self._replace(offer=offer)
        unsure = [each for each in self.shown if not each.taken]
        return Browser(offer, tuple(each for each in self.shown if each.taken), unsure[-1].share if unsure else "")

    def asked(self, terms: Terms, flaws: Flaws, *, blind: bool = False) -> Browser | None:
        """Store the terms and send the share; return None if it refuses.

        Args:
            terms: The terms.
            flaws: The flaws of the protocol.
            blind: Whether it is a tab that hasn't seen yet what another has stored. Both tabs' entries stay.
        """
        share = self.share()
        known = [each for each in self.shown if each.terms.offer == terms.offer]
        if terms.offer != self.offer or terms.sealed[BOT] is not None:
            return None
        if terms.sealed[ADA] != seal(terms.offer, ADA, share):
            return None
        if any(each.terms != terms for each in known) and not flaws.again and not blind:
            return None
        rest = tuple(each for each in self.shown if each.terms != terms and not (flaws.again and each in known))
        # The protocol asks nobody whether a share was taken: that it was sent is enough.
        return self._replace(shown=(*rest, Shown(terms, share, taken=not flaws.taken_is_shown)))

    def raced(self) -> bool:
        """Return whether two of its tabs have shown one share twice."""
        return len({each.terms.offer for each in self.shown}) < len({each.terms for each in self.shown})

    def answered(self) -> Browser:
        """The server says that it took the last share."""
        last = self.shown[-1]._replace(taken=True)
        return self._replace(shown=(*self.shown[:-1], last))


# -- the judge ---------------------------------------------------------------------------------------------------------


def judge(file: File, kept: Browser, flaws: Flaws) -> Verdict:  # noqa: C901
    """Return the verdict on a file, compared with a browser's data."""
    named = set()
    offer, sealed, _ = file.terms
    if seal_seed(file.seed) != offer.seed:
        return Verdict("wrong", frozenset({"seed"}))
    for seat, (share, fixed) in enumerate(zip(file.shares, sealed, strict=True)):
        if share is None and fixed is None:
            continue
        if fixed is None:
            if not flaws.late_share_open:
                return Verdict("wrong", frozenset({"share of a seat that had committed to nothing"}))
            named.add("loose share")
        elif share is None:
            if not flaws.left_out_open:
                return Verdict("wrong", frozenset({"share left out"}))
            named.add("share left out")
        elif seal(offer, seat, share) != fixed:
            return Verdict("wrong", frozenset({"share"}))
    if not kept.shown:
        return Verdict("open", frozenset({*named, "nothing kept"}))
    if kept.raced():
        return Verdict("wrong", frozenset({"one share, shown under two lists of commitments"}))
    said = digest(file.terms, flaws)
    if kept.heard is not None and digest(kept.heard, flaws) != said and not flaws.record_unbound:
        return Verdict("wrong", frozenset({"terms: another game began"}))
    mine = [each for each in kept.shown if digest(each.terms, flaws) == said]
    others = [each for each in kept.shown if digest(each.terms, flaws) != said]
    for each in others:
        if each.terms.offer == offer or (each.share == file.shares[ADA] and not mine):
            return Verdict("wrong", frozenset({"terms"}))
    if not mine and flaws.accuses:
        return Verdict("wrong", frozenset({"terms"}))
    if not mine:
        named.add("gave nothing to this start")
    elif file.shares[ADA] not in (None, mine[-1].share):
        return Verdict("wrong", frozenset({"own share"}))
    if others:
        named.add("broken starts")
    return Verdict("open" if named else "proven", frozenset(named), len(others))


def chance(file: File) -> tuple[object, ...]:
    """Return all in a file that decides dice and cards; the key is made of it."""
    return file.terms, file.seed, file.shares


# -- the adversary -----------------------------------------------------------------------------------------------------


class World(NamedTuple):
    """The offers so far, and Ada's shares that the adversary knows."""

    ada: Browser = Browser()
    offers: frozenset[Offer] = frozenset()
    known: frozenset[str] = frozenset()
    rounds: int = 0


def moves(world: World, flaws: Flaws, rounds: int) -> Iterator[tuple[str, World]]:
    """All that the adversary can do next while the table gathers."""
    ada = world.ada
    if ada.heard is not None:
        return
    if ada.shown:
        terms = ada.shown[-1].terms
        yield "begins", world._replace(ada=ada._replace(heard=terms))
        without = Terms(Offer(world.rounds + 1, seal_seed(SEEDS[0])), (None, None, None))
        begun = ada._replace(heard=without)
        yield "begins a round without Ada", world._replace(ada=begun, offers=world.offers | {without.offer})
    if world.rounds < rounds:
        # Also an offer of a number that was there before: an old database was restored, or the server lies.
        for number, seed in product(range(1, world.rounds + 2), SEEDS):
            offer = Offer(number, seal_seed(seed))
            after = world._replace(
                ada=ada.offered(offer, flaws), offers=world.offers | {offer}, rounds=world.rounds + 1
            )
            yield f"offers round {number} with seed {seed}; Ada commits", after
    if ada.offer is None:
        return
    own = seal(ada.offer, ADA, ada.share())
    others: tuple[Sealed | None, ...] = (None, *(seal(ada.offer, MALLORY, share) for share in SHARES), own)
    bots: tuple[Sealed | None, ...] = (None, seal(ada.offer, BOT, FORGED[0]))
    for other, bot in product(others, bots):
        terms = Terms(ada.offer, (own, other, bot))
        asked, tab = ada.asked(terms, flaws), "Ada"
        if asked is None and not ada.raced():
            asked, tab = ada.asked(terms, flaws, blind=True), "another tab of Ada's at the same moment"
        if asked is None or asked == ada:
            continue
        share = asked.shown[-1].share
        what = f"shows commitments (Ada's, {other and other[-1]}, {bot and bot[-1]}); {tab} sends {share}"
        after = world._replace(ada=asked, known=world.known | {share})
        yield f"{what}; answers 500", after
        yield f"{what}; answers ok", after._replace(ada=asked.answered())
    if flaws.kept_late and ada.shown:
        last = ada.shown[-1]
        for other in others:
            changed = last._replace(terms=last.terms._replace(sealed=(own, other, None)))
            kept = ada._replace(shown=(*ada.shown[:-1], changed))
            yield f"names Mallory's commitment {other and other[-1]} after Ada has sent", world._replace(ada=kept)
    if flaws.forgets and ada.shown:
        yield "says that the seat isn't Ada's", world._replace(ada=ada._replace(shown=()))


def claims(world: World) -> Iterator[Terms]:
    """Yield all terms that the adversary can name in the end."""
    lies: list[frozenset[str]] = [frozenset(), *(frozenset({each}) for each in FIELDS)]
    for made, seed in product(sorted(world.offers), SEEDS):
        own = (None, *(seal(made, ADA, share) for share in sorted(world.known)))
        other = (None, *(seal(made, MALLORY, share) for share in SHARES))
        bot = (None, seal(made, BOT, FORGED[0]))
        for lie in lies:
            offer = Offer(made.number, seal_seed(seed))
            for sealed in product(own, other, bot):
                yield Terms(offer, sealed, lie)


def gifts(world: World) -> Iterator[tuple[str, tuple[str | None, ...]]]:
    """All seeds and shares that the adversary can name in the end."""
    yield from product(SEEDS, product((None, *sorted(world.known)), (None, *SHARES), (None, *FORGED)))


@dataclass
class Result:
    """The findings of a search; courses by the number of broken starts named."""

    states: int = 0
    files: int = 0
    courses: dict[int, int] = field(default_factory=dict)
    proven: int = 0
    attack: list[str] = field(default_factory=list)

    def broken(self) -> bool:
        """Return whether something doesn't hold."""
        return bool(self.attack)


def search(flaws: Flaws, rounds: int = 2, *, stop: bool = True) -> Result:
    """Try everything, and stop at the first attack if asked to."""
    result = Result()
    bags: dict[World, dict[tuple[object, ...], tuple[int, str]]] = {}
    judged: dict[World, list[tuple[File, Verdict]]] = {}
    seen: set[tuple[World, World]] = set()
    stack: deque[tuple[World, World, tuple[str, ...]]] = deque([(World(), World(), ())])
    while stack and not (stop and result.attack):
        world, learnt, trace = stack.popleft()  # the shortest attack first
        if (world, learnt) in seen:
            continue
        seen.add((world, learnt))
        if world.known:
            if world not in judged:
                judged[world] = _not_wrong(world, flaws, result)
            _hold(world, learnt, judged[world], bags.setdefault(learnt, {}), trace, result)
        for what, after in moves(world, flaws, rounds):
            first = len(after.known) > len(world.known)
            stack.append((after, after if first else learnt, (*trace, what)))
    result.states = len(judged)
    return result


NO_PART: frozenset[str] = frozenset({"nothing kept", "gave nothing to this start"})
"""Who had no part in the start that counted is told so; nothing is claimed then."""


def _not_wrong(world: World, flaws: Flaws, result: Result) -> list[tuple[File, Verdict]]:
    """Return the files that aren't judged wrong and whose start Ada took part in."""
    kept = {digest(each.terms, flaws) for each in world.ada.shown}
    begun = world.ada.heard
    every = list(gifts(world)) if kept else []
    found = []
    for terms in claims(world):
        result.files += len(every)
        part = digest(terms, flaws) in kept
        if not part and (begun is None or terms.lies or terms.sealed[ADA] is not None):
            continue  # wrong, or named as a start in which Ada had no part
        for seed, shares in every:
            file = File(terms, seed, shares)
            verdict = judge(file, world.ada, flaws)
            result.proven += verdict.value == "proven"
            if verdict.value == "wrong":
                continue
            if begun is not None and digest(begun, flaws) != digest(terms, flaws):
                result.attack = [f"BEGUN: a game that wasn't the one that began is {verdict.value}"]
            if part:
                found.append((file, verdict))
    return found


def _hold(
    world: World,
    learnt: World,
    endings: list[tuple[File, Verdict]],
    bag: dict[tuple[object, ...], tuple[int, str]],
    trace: tuple[str, ...],
    result: Result,
) -> None:
    """Check ONE and COUNTED here; `bag` has the chance possible since Ada's last share."""
    if result.attack:
        result.attack = [*trace, *result.attack]
        return
    for file, verdict in endings:
        if verdict.broken < len(world.known) - 1:
            result.attack = [*trace, f"COUNTED: {len(world.known)} shares known, {verdict.broken} starts named"]
            return
        what = chance(file)
        bag[what] = min(bag.get(what, (99, "")), (verdict.broken, verdict.value))
        for named in range(verdict.broken, world.rounds):
            courses = sum(1 for broken, _ in bag.values() if broken <= named)
            result.courses[named] = max(result.courses.get(named, 0), courses)
            if courses > named + 1:
                values = sorted({value for broken, value in bag.values() if broken <= named})
                result.attack = [*trace, f"ONE: {courses} courses to choose from, judged {', '.join(values)}"]
                return


# -- the record --------------------------------------------------------------------------------------------------------

TOLD = ("die 4", "ada goes", "mallory goes", "die 2")
LAST_OWN = 1


def judge_record(heard: tuple[str, ...], live: int, said: tuple[str, ...], flaws: Flaws) -> Verdict:
    """The record that a browser heard, the first `live` lines while the game ran, against the file."""
    if heard != said[: len(heard)]:
        return Verdict("wrong", frozenset({"record"}))
    if flaws.part_right:
        return Verdict("proven" if heard else "open", frozenset() if heard else frozenset({"unheard"}))
    if len(heard) < len(said) or live <= LAST_OWN:
        return Verdict("open", frozenset({"unheard"}))
    return Verdict("proven", frozenset())


def search_record(flaws: Flaws) -> list[str]:
    """Try all numbers of live lines, and each changed line."""
    for live, changed, late in product((1, 2, 3, 4, 0), range(-1, len(TOLD)), (False, True)):
        said = tuple("another line" if at == changed else line for at, line in enumerate(TOLD))
        heard = TOLD[:live]
        if late and heard == said[:live]:
            heard = said
        verdict = judge_record(heard, live, said, flaws)
        lied = 0 <= changed < live or changed == LAST_OWN
        if lied and verdict.value != "wrong" and "unheard" not in verdict.named:
            return [f"tells {live} of {len(TOLD)} lines, then line {changed + 1} is another", f"HEARD: {verdict.value}"]
    return []


# -- an honest server --------------------------------------------------------------------------------------------------


def honest(flaws: Flaws) -> Iterator[tuple[str, str, Verdict]]:
    """Yield mishaps of an honest server, with the due and the found verdict."""
    first, second = Offer(1, seal_seed("s0")), Offer(2, seal_seed("s1"))

    def terms(offer: Offer, ada: Browser, other: str | None = "m0") -> Terms:
        return Terms(
            offer, (seal(offer, ADA, ada.share()), None if other is None else seal(offer, MALLORY, other), None)
        )

    def shows(ada: Browser, now: Terms, *, answer: bool = True) -> Browser:
        after = ada.asked(now, flaws)
        assert after is not None, "an honest server is refused"
        return after.answered() if answer else after

    def end(ada: Browser, now: Terms, share: str | None, other: str | None = "m0") -> Verdict:
        return judge(File(now, now.offer.seed[1], (share, other, None)), ada._replace(heard=now), flaws)

    ada = Browser().offered(first, flaws)
    now = terms(first, ada)
    yield "a plain game", "proven", end(shows(ada, now), now, ada.share())
    lost = shows(ada, now, answer=False)
    yield "the answer is lost; the page sends the share again", "proven", end(shows(lost, now), now, ada.share())
    alone = terms(first, ada, None)
    yield (
        "alone against bots, or no other browser gives a share",
        "proven",
        end(shows(ada, alone), alone, ada.share(), None),
    )
    anew = ada.offered(second, flaws)
    later = terms(second, anew)
    yield (
        "an old database restored before the terms: a new round",
        "proven",
        end(shows(anew, later), later, anew.share()),
    )
    twice = shows(ada, now).offered(second, flaws)
    later = terms(second, twice, None)
    yield (
        "somebody doesn't show: a new round without its share",
        "open",
        end(shows(twice, later), later, twice.share(), None),
    )
    away = shows(ada, now)
    later = Terms(second, (None, seal(second, MALLORY, "m0"), None))
    yield "a start is broken off, and the next is closed while Ada is away", "open", end(away, later, None)
    later = Terms(second, (seal(second, ADA, "phone"), seal(second, MALLORY, "m0"), None))
    yield "a start is broken off, and the next has the share of Ada's phone", "open", end(away, later, "phone")
    yield "another device, or cleared storage", "open", end(Browser(), now, ada.share())


def two_worlds() -> bool:
    """Return whether two games shown to two browsers are proven only on their own."""
    offer, flaws = Offer(1, seal_seed("s0")), Flaws()
    ada = Browser().offered(offer, flaws)
    kept, verdicts = [], []
    for other in SHARES:
        terms = Terms(offer, (seal(offer, ADA, ada.share()), seal(offer, MALLORY, other), None))
        shown = ada.asked(terms, flaws)
        assert shown is not None
        kept.append(shown._replace(heard=terms))
        verdicts.append(judge(File(terms, "s0", (ada.share(), other, None)), kept[-1], flaws).value)
    file = File(kept[0].shown[0].terms, "s0", (ada.share(), SHARES[0], None))
    return verdicts == ["proven", "proven"] and "wrong" in {judge(file, each, flaws).value for each in kept}


# -- more rounds, at random --------------------------------------------------------------------------------------------


def wander(flaws: Flaws, walks: int, seed: int, rounds: int = 4) -> str:
    """Walk at random through many rounds, and return the first attack."""
    rng = random.Random(seed)
    lies = [frozenset(), *(frozenset({each}) for each in FIELDS)]
    for _ in range(walks):
        world, trace = World(), []
        courses: dict[tuple[object, ...], int] = {}
        for _ in range(rng.randrange(2, 3 * rounds)):
            options = list(moves(world, flaws, rounds))
            if not options:
                break
            what, after = rng.choice(options)
            trace.append(what)
            if len(after.known) > len(world.known):
                courses.clear()
            world = after
            for shown, lie, other in product(world.ada.shown, lies, [None, *SHARES]):
                terms = shown.terms._replace(lies=lie)
                file = File(terms, terms.offer.seed[1], (shown.share, other, None))
                verdict = judge(file, world.ada, flaws)
                if verdict.value == "wrong" or verdict.named & NO_PART:
                    continue
                courses[chance(file)] = min(verdict.broken, courses.get(chance(file), verdict.broken))
                could = sum(1 for broken in courses.values() if broken <= verdict.broken)
                if verdict.broken < len(world.known) - 1 or could > verdict.broken + 1:
                    return "; ".join([*trace, f"{could} courses, {verdict.broken} broken starts named"])
    return ""


# -- the table ---------------------------------------------------------------------------------------------------------

FOUND: dict[str, Flaws] = {
    "1a a share counts as shown when the server says so, else it is given again": Flaws(taken_is_shown=True),
    "1b the file says from which number and from which position": Flaws(unbound=frozenset({"first", "start"})),
    "1c a share for a seat that had committed to nothing": Flaws(late_share_open=True),
    "1d a share that was sent is left out, and called missing": Flaws(left_out_open=True),
    "1e what was shown is forgotten at the server's word": Flaws(forgets=True),
    "1f a record that was heard in part is right": Flaws(part_right=True),
    "all six, as the former protocol had them": Flaws(
        taken_is_shown=True,
        forgets=True,
        late_share_open=True,
        left_out_open=True,
        part_right=True,
        unbound=frozenset({"first", "start"}),
    ),
}
"""The six findings on the former protocol."""

MORE: dict[str, Flaws] = {
    "the share is shown under two lists of commitments": Flaws(again=True),
    "the terms are kept after the share was sent": Flaws(kept_late=True),
    "a start in which a browser had no part is called wrong": Flaws(accuses=True),
    "the record isn't bound to the terms": Flaws(record_unbound=True),
    "the commitments aren't kept": Flaws(unbound=frozenset({"sealed"})),
    "the seed's commitment isn't kept": Flaws(unbound=frozenset({"seed"})),
} | {f"nothing fixes: {each}": Flaws(unbound=frozenset({each})) for each in FIELDS}
"""Other flaws that the protocol must not have."""


def check(flaws: Flaws, rounds: int = 2) -> tuple[str, list[str], Result]:
    """Return the failure with these flaws ("" for none), its steps and the search."""
    result = search(flaws, rounds)
    attack = result.attack or search_record(flaws)
    if attack:
        return attack[-1], attack, result
    for what, due, verdict in honest(flaws):
        if verdict.value != due:
            return f"FAIR: {what}: {verdict.value}, not {due}", [what], result
    return "", [], result
