"""Each component alone, as the rules page shows it."""

from __future__ import annotations

from atoll.engine import Game
from atoll.engine.words import Words
from atoll.picture import Drawing

from ..components import TASK_KINDS
from ..kinds import ASSISTANT, COMMODITY
from .cards import CARD, Cards
from .court import Court
from .drawing import ALONE, draw
from .feast import Feast
from .statues import task_parts


class Pieces(Cards):
    """Every component alone, as the rules page shows it."""

    def __init__(self, game: Game, words: Words) -> None:
        view = game.new(game.seat_counts[0]).view(None)
        super().__init__(game, view, words)
        self._court: Court = Court(game, view, words)
        self._feast: Feast = Feast(game, view, words)

    def location(self, location: int) -> Drawing:
        """A location card, not taken."""
        return self._court.location(location).drawings[0]

    def commodity(self, commodity: int) -> Drawing:
        """A commodity card."""
        id, name = f"piece-{COMMODITY.label(commodity)}", self.words.name("commodity", commodity)
        return Drawing(id, *CARD, self._card(id, name, COMMODITY.label(commodity), "", ALONE))

    def assistant(self, assistant: int) -> Drawing:
        """An assistant card, ready."""
        id = f"piece-{ASSISTANT.label(assistant)}"
        return Drawing(id, *CARD, self._helper(assistant, id, "", ALONE))

    def mask(self, god: int) -> Drawing:
        """A mask without a treasure."""
        id = f"piece-mask-{god}"
        return Drawing(id, *CARD, self._mask(god, id, "", ALONE))

    def ritual(self, card: int) -> Drawing:
        """A ritual."""
        return self._ritual(card, f"piece-{card}", "")

    def task(self, task: int) -> Drawing:
        """A task tile, open."""
        tile = {
            "id": f"piece-{task}",
            "x": 0,
            "y": 0,
            "kind": TASK_KINDS[self.box.task_kind[task]],
            "parts": task_parts(self.box, task, 0, 0),
            "name": self.describer.task(task),
            "choice": "",
        }
        return Drawing(f"piece-task-{task}", 88, 66, draw("task_alone", tile=tile))

    def gift(self, gift: int) -> Drawing:
        """A gift of a feast on its leaf."""
        return Drawing(f"piece-gift-{gift}", 100, 92, draw("gift_alone", gift=self._feast.gift(gift, 50)))


def thing_alone(id: str) -> Drawing:
    """What isn't a card: `bag`, `stone`, `disc`, `marker` of a price, `clip`, `screen`, `round`, or a sign."""
    return Drawing(f"piece-{id}", 80, 76, draw("thing", id=id))
