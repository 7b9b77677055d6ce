"""A slider with a number beside it and a sentence that says what both mean, while they move."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from nicegui import ui

__all__ = ["Dial", "dial"]


@dataclass(frozen=True)
class Dial:
    """The three parts, to be set from elsewhere."""

    slider: Any
    number: Any
    sentence: Any
    tell: Callable[[float], str]

    def show(self, value: float) -> None:
        """Show a value, as if somebody had moved the slider there."""
        self.slider.set_value(value)
        self.number.set_value(value)
        self.sentence.set_text(self.tell(value))


def dial(
    title: str,
    *,
    value: float,
    low: float,
    high: float,
    step: float,
    tell: Callable[[float], str],
    save: Callable[[float], object],
    most: float | None = None,
    suffix: str = "",
) -> Dial:
    """A slider from ``low`` to ``high``; the number may go on to ``most``. ``save`` is called when it comes to rest."""
    sentence = ui.label(tell(value)).classes("sentence").props("aria-live=polite")
    with ui.element("div").classes("dial"):
        slider = ui.slider(min=low, max=high, step=step, value=min(max(value, low), high))
        slider.props["aria-label"] = title
        number = ui.number(title, value=value, min=low, max=high if most is None else most, step=step)
        number.props("outlined dense").classes("dial-number")
        if suffix:
            number.props["suffix"] = suffix
    made = Dial(slider, number, sentence, tell)

    def moved(event: Any) -> None:
        number.set_value(event.args)
        sentence.set_text(tell(float(event.args)))

    def entered() -> None:
        if number.value is None:
            return
        kept = min(max(float(number.value), low), high if most is None else most)
        slider.set_value(min(kept, high))
        number.set_value(kept if step % 1 else int(kept))
        sentence.set_text(tell(kept))
        save(kept)

    slider.on("update:model-value", moved, throttle=0.05)
    slider.on("change", lambda event: save(float(event.args)))
    number.on("change", entered)
    return made
