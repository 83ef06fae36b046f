"""Where workers are sent: standard places with their upgrades, places with a sign board, the pyramid."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from atoll.picture import Region, kept

from ..components import (
    ACCEPT_PACT,
    CHASE,
    CHOOSE,
    CLAIM_START,
    DRAW_VENGEANCE,
    GIFT_PACT,
    PLAY_OMEN,
    RENEW_PACTS,
    TRADE,
    UPGRADE,
    Action,
)
from ..describe import action_in_words, cost_in_words, effects_in_words
from ..kinds import FIRST_STANDARD, MAIN_PLACES, PYRAMID, RESOURCES, VILLAGE
from ..signs import Sign, action_signs, cost_signs, effects_signs
from .drawing import draw, in_row, squeezed
from .table import Table

_TOLD_BY_PICTURE: Final = (CLAIM_START, CHASE, TRADE, RENEW_PACTS, PLAY_OMEN, ACCEPT_PACT, GIFT_PACT)


class Places(Table):
    """The places of the cult."""

    @kept
    def standard(self, place: int) -> Region:
        """A place that yields resources or workers: how many now, its upgrades and their prices."""
        id, printed = MAIN_PLACES[place], self.board.places[place]
        title = self.words.name("place", place)
        owners = self.s["markers"][place - FIRST_STANDARD]
        slots = []
        for slot, price in enumerate(self._upgrade_prices()):
            signs = [(str(price), "gold"), (f"›{printed.yields[slot + 1]}", "")]
            free = in_row(signs, 34 + slot * 54, 81, 15.8, width=47, anchor="middle")
            slots.append({"seat": owners[slot] if slot < len(owners) else -1, "row": free})
        markup = draw(
            "standard",
            id=f"place-{id}",
            art=id,
            name=self._named(title, self._yield(place), place),
            title=squeezed(title, 150, 15.8),
            choice=f"{self._choice(place)}; upgrade {id}; marker {id} *",
            n=self._now(place - FIRST_STANDARD),
            sign=RESOURCES[printed.kind] if printed.kind >= 0 else "extra",
            slots=slots,
            bonus=[RESOURCES[kind] for kind in printed.bonus],
            fields=self._sockets(place, 83, 122, 30),
        )
        return self._area(id, title, 166, 136, markup)

    def _upgrade_prices(self) -> list[int]:
        """What each upgrade of a standard place costs in this round."""
        discount = self._round_card().upgrade_discount
        return [max(0, price - discount) for price in self.board.upgrade_prices]

    def _now(self, standard: int) -> int:
        """How many resources or workers a standard place yields to the viewer, or to anybody as it is printed."""
        yields = self.live.get("yields")
        level = len(self.s["markers"][standard])
        found: int = self.board.places[FIRST_STANDARD + standard].yields[level] if yields is None else yields[standard]
        return found

    def _yield(self, place: int) -> str:
        """What a standard place gives now, with upgrades, and to the viewer with its own bonuses."""
        standard = place - FIRST_STANDARD
        printed = self.board.places[place]
        level = len(self.s["markers"][standard])
        n = self._now(standard)
        kind = printed.kind
        text = self._say("hires", n=n) if place == VILLAGE else self._say("yields", n=n, resource=kind)
        discount = self._round_card().hire_discount
        if place == VILLAGE and discount:
            text += " " + self._say("hires_for_less", n=discount)
        if level < len(printed.yields) - 1:
            more = n + printed.yields[level + 1] - printed.yields[level]
            fields = {"level": level + 1, "n": more, "price": self._upgrade_prices()[level]}
            if place == VILLAGE:
                text += " " + self._say("next_level.hires", **fields)
            else:
                text += " " + self._say("next_level", **fields, resource=kind)
        bonus = self._say("or").join(self.words.name("resource", each) for each in printed.bonus)
        text += " " + self._say("marker_bonus", what=bonus)
        own = sum(self._is("viewer", owner) for owner in self.s["markers"][standard])
        if own:
            text += " " + self._say("own_bonus", n=own, what=bonus)
        return text

    @kept
    def small(self, id: str) -> Region:
        """A place with a picture, a sign board and sockets."""
        place = MAIN_PLACES.index(id)
        title, action = self.words.name("place", place), self._action(place)
        lines = self._lines(action)
        if len(lines) > 1:
            rows = [in_row(line, 49, 53 + at * 19, 15.8, width=84, anchor="middle") for at, line in enumerate(lines)]
        else:
            rows = [in_row(line, 74.5, 51, 15.8, width=38, anchor="middle") for line in lines]
        fields = len(self.s["fields"][place])
        holder = -1
        if id == "start_player" and self.s["round_card"] >= 0:
            holder = self.s["start"] if self.s["claimant"] < 0 else self.s["claimant"]
        markup = draw(
            "small",
            id=f"place-{id}",
            art=id,
            name=self._named(title, action_in_words(self.words, action), place),
            title=squeezed(self._say("short.upgrade") if id == "upgrade" else title, 90, 17.4),
            choice=self._choice(place),
            rows=rows,
            fields=self._sockets(place, 49, 105, min(27, 72 / max(1, fields - 1))),
            holder=holder,
        )
        return self._area(id, title, 98, 116, markup)

    @kept
    def plank(self, id: str, width: float) -> Region:
        """A place in one line."""
        place = MAIN_PLACES.index(id)
        title, action = self.words.name("place", place), self._action(place)
        art = id != "plunder"
        fields = len(self.s["fields"][place])
        room = width - (52 if art else 18) - fields * 29
        signs = [sign for line in self._lines(action) for sign in line]
        markup = draw(
            "plank",
            id=f"place-{id}",
            art=id if art else "",
            name=self._named(title, action_in_words(self.words, action), place),
            title=squeezed(title, width - 6, 15.8),
            choice=self._choice(place),
            line=in_row(signs, 44 if art else 10, 38, 15.8, width=room),
            fields=self._sockets(place, width - 8 - fields * 14.5, 46, 29),
            w=width,
        )
        return self._area(id, title, width, 58, markup)

    @kept
    def pyramid(self) -> Region:
        """The four levels with their room, price and points."""
        levels = []
        for number, level in enumerate(self.board.levels):
            cost = cost_in_words(self.words, level.climb.cost)
            effects = effects_in_words(self.words, level.climb.effects)
            seats = [seat for seat, at in enumerate(self.s["pyramid"]) if at == number + 1]
            tokens, extras = cost_signs(level.climb.cost), effects_signs(level.climb.effects)
            lines = [tokens[:3], tokens[3:] + extras] if tokens[3:] or extras else [tokens]
            inset, y = number * 8, 151 - number * 43
            room = 142 - 2 * inset - 19 * len(seats)
            at = (22,) if len(lines) == 1 else (12, 32)
            levels.append(
                {
                    "y": y,
                    "inset": inset,
                    "vp": level.vp,
                    "rows": [
                        in_row(line, 42 + inset, y + dy, 15.8, width=room) for line, dy in zip(lines, at, strict=True)
                    ],
                    "seats": seats,
                    "free": level.room - len(seats),
                    "name": self._say("level", number=number + 1, cost=cost, vp=level.vp, room=level.room)
                    + (f" {effects}." if effects else ""),
                }
            )
        title = self.words.name("place", PYRAMID)
        text = action_in_words(self.words, self.board.places[PYRAMID].action)
        markup = draw(
            "pyramid",
            levels=levels,
            name=self._named(title, text, PYRAMID),
            title=squeezed(title, 194, 15.8),
            choice=self._choice(PYRAMID),
            fields=self._sockets(PYRAMID, 116, 222, 32),
        )
        return self._area("pyramid", title, 200, 237, markup)

    def _action(self, place: int) -> Action:
        """What a place does in this round."""
        action = self.board.places[place].action
        if self._round_card().quiet[place]:  # no vengeance card is drawn here in this round
            action = replace(action, effects=tuple(each for each in action.effects if each.verb != DRAW_VENGEANCE))
        return action

    def _choice(self, place: int) -> str:
        id = MAIN_PLACES[place]
        return f"visit * {id}; crowd_in * {id}; chase {id} *; recall * {id}; leave * {id}"

    def _lines(self, action: Action) -> list[list[Sign]]:
        """What a place's sign board tells; its picture has told the rest. Options stand one below the other."""
        first = action.effects[0]
        if first.verb == CHOOSE:
            return [action_signs(option) for option in first.options]
        told = tuple(effect for effect in action.effects if effect.verb not in _TOLD_BY_PICTURE)
        if first.verb == UPGRADE:
            return [[(f"+{first.vp}", "crown")]]
        signs = effects_signs(told)
        cost = cost_signs(action.cost)
        gain = [("+", "gold")] if first.verb == ACCEPT_PACT and first.bonus else []
        signs = [*cost, *([("›", "")] if cost and signs else []), *signs, *gain]
        return [signs] if signs else []
