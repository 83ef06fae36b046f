"""What each seat has: goods and counts, workers, boards, upgrades and pacts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from atoll.picture import Drawing, Fact, Region, kept

from ..components import UPKEEP, VP
from ..kinds import ELEMENTS, GOLD, OWN_PLACE, RESOURCES, WORKERS
from ..signs import Sign
from .drawing import draw, in_line, in_row, sign_of
from .table import Table, count_of

_CREW: Final = 32
_CHIP: Final = 27
_ON_CHIP: Final = 14.5
"""How high workers and chips stand at a seat, and the size of what is on a chip, in pixels."""


class Possessions(Table):
    """What is said of a seat's possessions before the viewer and at its seat."""

    @kept
    def _goods(self, seat: int) -> list[Fact]:
        """Points, resources, upgrade markers left, and what the next pact will cost."""
        return [self._points(seat), *self._stock(seat), self._markers(seat), *self._owed(seat)]

    def _points(self, seat: int) -> Fact:
        pick = f"to {seat}; from {seat}; winner {seat}; chase * {seat}"
        return Fact(f"vp-{seat}", self._say("vp"), str(self.s["vp"][seat]), sign_of("crown"), self.s["vp"][seat], pick)

    def _stock(self, seat: int) -> Iterable[Fact]:
        for index, kind in enumerate(RESOURCES):
            n = self.s["stock"][seat][index]
            marked = self.s["cost_marker"][seat] == index
            label = self._say("marked", resource=index) if marked else self.words.name("resource", index)
            choice = f"pay {kind} *" if self._is("viewer", seat) else ""
            sign = draw("marked_sign", sign=kind) if marked else sign_of(kind)
            yield Fact(f"{kind}-{seat}", label, str(n), sign, n, choice)

    def _markers(self, seat: int) -> Fact:
        markers = self.s["upgrade_markers"][seat]
        return Fact(f"markers-{seat}", self._say("upgrade_markers"), str(markers), sign_of("flag"), markers)

    def _owed(self, seat: int) -> Iterable[Fact]:
        """What the next pact will make a seat pay."""
        kind = self.s["cost_marker"][seat]
        if kind < 0:
            return
        following = self.board.counter_next[self.view["seats"]][self.s["counter"]]
        owed = self.worked["upkeep", seat] if self.board.counter_event[following] == UPKEEP else 0
        stock = self.s["stock"][seat][kind]
        help = self._say("owed.help", n=stock, owed=owed, resource=kind)
        yield Fact(f"owed-{seat}", self._say("owed"), f"{stock}/{owed}", sign_of("marker"), owed, help=help)

    def _hire(self, seat: int) -> tuple[list[Sign], str]:
        """What the next worker costs, as signs and in words; nothing when none is left."""
        kind = self.s["cost_marker"][seat]
        if kind < 0 or self.worked["next_hire", seat] < 0:
            return [], ""
        marked, gold = self.worked["hire_price", seat]
        pairs = ((kind, marked), (GOLD, gold))
        signs = [(str(n), RESOURCES[each]) for each, n in pairs if n]
        return signs or [("0", RESOURCES[kind])], self._amounts(*pairs) or self._say("free")

    def _amounts(self, *pairs: tuple[int, int]) -> str:
        """Tokens in words; "" for none."""
        return ", ".join(self._say("amount", n=n, resource=kind) for kind, n in pairs if n)

    def _board_text(self, seat: int) -> str:
        """What a seat's masterboard does, and where its marker is."""
        index = self.s["masterboard"][seat]
        text, face = self._tell("masterboard", index), self.box.masterboards[index]
        if face.track[self.view["seats"]]:
            return self._say("track", n=self.s["track"][seat]) + " " + text
        if len(face.multiplier) > 1:
            return self._say("multiplier", n=face.multiplier[self.s["multiplier"][seat]]) + " " + text
        return text


class Seats(Possessions):
    """What lies before each seat."""

    @kept
    def seat(self, seat: int) -> Region:
        """Points, resources, counts of cards; workers, boards, upgrades and pacts. The viewer's own are in the dock."""
        own = self._is("viewer", seat)
        goods = [self._points(seat).again()] if own else self._goods(seat)
        facts = [*goods, *self._counts(seat), *self._marks(seat)]
        return Region(f"cult-{seat}", "", "seat", self._cult(seat, own), facts, seat=seat)

    def _counts(self, seat: int) -> Iterable[Fact]:
        for key, sign in (
            ("fulfilled", "tablet"),
            ("omens", "omen"),
            ("vengeance", "curse"),
            ("secret_pacts", "secret"),
        ):
            count = count_of(self.s[key][seat])
            yield Fact(f"count-{key}-{seat}", self._say(f"count.{key}"), str(count), sign_of(sign), count)

    def _marks(self, seat: int) -> Iterable[Fact]:
        """Who begins this round, claims the next, has brought the end, has its last turn to come."""
        s = self.s
        if seat == s["start"] and s["round_card"] >= 0:
            yield Fact(f"start-{seat}", self._say("start_marker.has"), "✓", sign_of("idol"))
        if seat == s["claimant"]:
            yield Fact(f"claim-{seat}", self._say("start_marker.claims"), "›", sign_of("idol"))
        if seat == s["ender"]:
            yield Fact(f"ender-{seat}", self._say("ender"), "✓", sign_of("skull"))
        if s["ender"] >= 0 and seat in s["last_turns"]:
            yield Fact(f"last-turn-{seat}", self._say("last_turn"), "1", sign_of("torch"))

    @kept
    def _cult(self, seat: int, own: bool) -> list[Drawing]:
        """Workers; of others also boards, upgrades and pacts, each by itself, so that they fill lines of any width."""
        crews, x = [], 0.0
        for kind, name in enumerate(WORKERS):
            crew, x = self._crew(seat, kind, name, x)
            crews.append(crew)
        found = [Drawing(f"crew-of-{seat}", x, _CREW, draw("crews", crews=crews))]
        for chip in self._chips(seat, own):
            chip["row"] = in_row(chip["signs"], 5.5, _CHIP / 2 + 1, _ON_CHIP)
            chip["fields"] = self._sockets(chip["spot"], chip["width"] - 15, 19, 20) if chip["spot"] else []
            drawn = draw("seat_chip", chip=chip, height=_CHIP)
            found.append(Drawing(f"chip-{chip['id']}", chip["width"], _CHIP, drawn))
        return found

    def _crew(self, seat: int, kind: int, name: str, x: float) -> tuple[dict[str, Any], float]:
        """Who is at home, rests, or is still in the tower, of one type; a shadow where nobody is."""
        home, idle, tower = (self.s[zone][seat][kind] for zone in ("home", "idle", "tower"))
        id, step = f"crew-{seat}-{name}", 15
        workers: list[dict[str, Any]] = []
        for zone, count, css in (("home", home, ""), ("idle", idle, "idle"), ("tower", tower, "in-tower")):
            for n in range(count):
                aside = 5 if zone == "tower" else 0
                each = {"x": x + 8 + len(workers) * step + aside, "id": f"{id}-{zone}-{n}", "css": css}
                workers.append(each)
        tower_width = tower * step + 8 if tower else 0
        width = max(step, (home + idle) * step + tower_width)
        label = self._say("workers.all", worker=kind, home=home, idle=idle, tower=tower)
        crew = {
            "id": id,
            "name": label,
            "seat": seat,
            "kind": name,
            "home": home,
            "x": x,
            "width": width,
            "workers": workers,
            "shade": None if workers else x + 8,
            "tower_width": max(tower_width, 20) if tower else 0,
            "tower_x": x + (home + idle) * step + 1,
        }
        return crew, x + width + 3

    def _chips(self, seat: int, own: bool) -> list[dict[str, Any]]:
        s = self.s
        found: list[dict[str, Any]] = []
        signs, price = self._hire(seat)
        if signs and not own:
            name = f"{self._say('next_hire')}: {price}"
            found.append(_chip(f"hire-{seat}", name, [("", "keep"), *signs], "hire-price"))
        if own:
            return found
        face = s["masterboard"][seat]
        if face >= 0:
            board = self.box.masterboards[face]
            track = board.track[self.view["seats"]]
            at = f"{s['track'][seat]}/{len(track) - 1}" if track else ""
            at = f"×{board.multiplier[s['multiplier'][seat]]}" if len(board.multiplier) > 1 else at
            spot = OWN_PLACE + seat if s["fields"][OWN_PLACE + seat] else 0
            name = f"{self.words.name('masterboard', face)} ({self._say('card.masterboard')})"
            name = (
                self._named(name, self._board_text(seat), OWN_PLACE + seat)
                if spot
                else f"{name}. {self._board_text(seat)}"
            )
            found.append(_chip(f"face-of-{seat}", name, [("", "mask"), (at, "")], "board", spot=spot))
        for slot, card in enumerate(s["built"][seat]):
            if card >= 0:
                name = f"{self.words.name('tower_upgrade', card)} ({self._say('card.tower')}). "
                signs = [("", self._tower_sign(card))]
                found.append(_chip(f"built-{seat}-{slot}", name + self._tell("tower_upgrade", card), signs, "built"))
        ability = s["ability"][seat]
        if ability >= 0:
            used = s["ability_used"][seat]
            name = f"{self.words.name('ability', ability)} ({self._say('card.ability')}). "
            name += self._say("used") if used else self._tell("ability", ability)
            found.append(_chip(f"ability-{seat}", name, [("", "bolt")], "used" if used else "ability"))
        if s["permanent"][seat] >= 0:
            card = s["permanent"][seat]
            name = f"{self.words.name('omen', card)} ({self._say('card.omen')}). {self._tell('omen', card)}"
            found.append(_chip(f"permanent-{seat}", name, [("", "eye")], "omen"))
        for place, pact in enumerate(s["pacts"][seat]):
            printed = self.box.pacts[pact]
            element = self.words.name("element", printed.element)
            name = f"{self.words.name('pact', pact)} ({element}). {self._tell('pact', pact)}"
            vp = sum(effect.n for effect in printed.action.effects if effect.verb == VP)
            signs = [("", ELEMENTS[printed.element]), (str(vp), "")]
            found.append(_chip(f"pact-{seat}-{place}", name, signs, f"pact {ELEMENTS[printed.element]}"))
        return found


def _chip(id: str, name: str, signs: Sequence[Sign], css: str, *, spot: int = 0) -> dict[str, Any]:
    """A small thing among a seat's possessions; spot: the place whose sockets it shows."""
    wide = in_line(signs, _ON_CHIP)[1]
    width = wide + 8 + (22 if spot else 0)
    return {"id": id, "name": name, "choice": "", "signs": signs, "css": css, "width": width, "spot": spot}
