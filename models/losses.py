"""The losses that training minimises."""

from torch import Tensor
from torch.nn import functional


def reader_loss(logits: Tensor, classes: Tensor, flipped: Tensor, smoothing: float) -> Tensor:
    """Cross entropy of the card, plus a fifth of the cross entropy of which end is up.

    Args:
        logits: (N, classes + 1), the last for "upside down".
        classes: (N,), the true classes, as places in ``CLASSES``.
        flipped: (N,), 1 upside down, 0 upright, 0.5 where no end is up.
        smoothing: share of the labels that is spread over all classes, 0–1.
    """
    card = functional.cross_entropy(logits[:, :-1], classes, label_smoothing=smoothing)
    up = functional.binary_cross_entropy_with_logits(logits[:, -1], flipped)
    return card + 0.2 * up


def refiner_loss(offsets: Tensor, wanted: Tensor) -> Tensor:
    """Ten times the smooth L1 distance of two sets of offsets, (N, 8), parts of a crop's height."""
    return 10 * functional.smooth_l1_loss(offsets, wanted, beta=0.01)


def finder_loss(
    heat: Tensor, outlines: Tensor, wanted_heat: Tensor, wanted_outlines: Tensor,
    weight: Tensor, size: Tensor, asked: Tensor,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """Focal loss of the cards' middles, and distance of the outlines relative to the card's size.

    R and C are the map's rows and columns of cells.

    Args:
        heat: (N, 1, R, C), the network's logits.
        outlines: (N, 8, R, C), the network's outlines.
        wanted_heat: (N, R, C), 0–1, 1 in the cells of middles.
        wanted_outlines: (N, 8, R, C), the true outlines.
        weight: (N, R, C), how much a cell's outline counts.
        size: (N, R, C), the size of a cell's card, in the outlines' unit.
        asked: (N, R, C), 0 where the heat does not count, else 1.

    Returns:
        The loss of the heat and the loss of the outlines; training adds them.
    """
    logits = heat[:, 0].float()
    chance = logits.sigmoid()
    middle = wanted_heat >= 1
    sure = functional.logsigmoid(logits) * (1 - chance) ** 2 * middle
    doubt = functional.logsigmoid(-logits) * chance**2 * (1 - wanted_heat) ** 4 * asked * ~middle
    found = -(sure + doubt).sum() / middle.sum().clamp(min=1)
    errors = functional.smooth_l1_loss(
        outlines.float() / size[:, None], wanted_outlines / size[:, None], beta=0.03,
        reduction="none",
    )  # fmt: skip
    placed = (errors.sum(dim=1) * weight).sum() / weight.sum().clamp(min=1)
    return found, placed
