"""What the networks are asked to make small."""

from torch import Tensor
from torch.nn import functional


def reader_loss(logits: Tensor, classes: Tensor, flipped: Tensor, smoothing: float) -> Tensor:
    """Cross entropy of the card, and a smaller share for which end is up.

    Args:
        logits: (N, classes + 1), the last for "upside down".
        classes: (N,), indices.
        flipped: (N,), 1 upside down, 0 upright, 0.5 where there is no up.
        smoothing: of the labels, 0–1.
    """
    card = functional.cross_entropy(logits[:, :-1], classes, label_smoothing=smoothing)
    up = functional.binary_cross_entropy_with_logits(logits[:, -1], flipped)
    return card + 0.2 * up


def refiner_loss(offsets: Tensor, wanted: Tensor) -> Tensor:
    """Distance of offsets, both (N, 8), as parts of a crop's height; times ten."""
    return 10 * functional.smooth_l1_loss(offsets, wanted, beta=0.01)


def finder_loss(
    heat: Tensor, outlines: Tensor, wanted_heat: Tensor, wanted_outlines: Tensor,
    weight: Tensor, size: Tensor, asked: Tensor,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """Focal loss of the middles, and distance of the outlines as a part of the card's size.

    Args:
        heat: (N, 1, R, C), logits.
        outlines: (N, 8, R, C).
        wanted_heat: (N, R, C), 0–1, 1 in the cells of middles.
        wanted_outlines: (N, 8, R, C).
        weight: (N, R, C), how much a cell's outline counts.
        size: (N, R, C), the size of a cell's card, in the outlines' unit.
        asked: (N, R, C), 0 where the heat does not matter.

    Returns:
        Both losses, to be added.
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
