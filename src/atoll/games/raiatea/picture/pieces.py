"""Each component alone, as the rules page shows it."""

from __future__ import annotations

from atoll.engine.translations import GameMessages
from atoll.picture import Drawing

from ..components import TASK_KINDS
from ..kinds import ASSISTANT, COMMODITY
from . import cards, court, feast
from .drawing import ALONE, draw
from .statues import task_parts
from .texts import components_of, describer


def location(words: GameMessages, location: int) -> Drawing:
    """Draw a location card that isn't taken."""
    return court.location(words, location).drawings[0]


def commodity(words: GameMessages, commodity: int) -> Drawing:
    """Draw a commodity card."""
    id = f"piece-{COMMODITY.label(commodity)}"
    return Drawing(id, *cards.CARD, cards.commodity(words, commodity, id, "", ALONE))


def assistant(words: GameMessages, assistant: int) -> Drawing:
    """Draw an assistant card that is ready."""
    id = f"piece-{ASSISTANT.label(assistant)}"
    return Drawing(id, *cards.CARD, cards.helper(words, assistant, id, "", ALONE))


def mask(words: GameMessages, god: int) -> Drawing:
    """Draw a mask without a treasure."""
    id = f"piece-mask-{god}"
    return Drawing(id, *cards.CARD, cards.mask(words, god, id, "", ALONE))


def ritual(words: GameMessages, card: int) -> Drawing:
    """Draw a ritual."""
    return cards.ritual(words, card, f"piece-{card}")


def task(words: GameMessages, task: int) -> Drawing:
    """Draw an open task tile."""
    components = components_of(words)
    tile = {
        "id": f"piece-{task}",
        "x": 0,
        "y": 0,
        "kind": TASK_KINDS[components.task_kind[task]],
        "parts": task_parts(components, task, 0, 0),
        "name": describer(words).task(task),
        "choice": "",
    }
    return Drawing(f"piece-task-{task}", 88, 66, draw("task_alone", tile=tile))


def gift(words: GameMessages, gift: int) -> Drawing:
    """Draw a gift of a feast on its leaf."""
    return Drawing(f"piece-gift-{gift}", 100, 92, draw("gift_alone", gift=feast.gift(words, gift, 50)))


def thing_alone(id: str) -> Drawing:
    """Draw a component that isn't a card.

    `id` is `bag`, `stone`, `disc`, `marker`, `clip`, `screen`, `round`, or a sign.

    Args:
        id: The id of the element.

    Returns:
        The drawing.
    """
    return Drawing(f"piece-{id}", 80, 76, draw("thing", id=id))
