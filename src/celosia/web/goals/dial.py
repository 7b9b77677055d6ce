"""A slider with a number beside it and a sentence that says what both mean, while they move."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from nicegui import ui

__all__ = ["Dial", "Slider", "dial"]


class Slider(ui.element):
    """A slider of the browser itself: the keyboard moves it, and readers of screens know what it is."""

    def __init__(self, title: str, *, low: float, high: float, step: float, value: float) -> None:
        super().__init__("input")
        self.classes("slider")
        for name, setting in (
            ("type", "range"),
            ("min", low),
            ("max", high),
            ("step", step),
            ("value", value),
        ):
            self.props[name] = setting
        self.props["aria-label"] = title

    def show(self, value: float, text: str) -> None:
        """Stand at a value; ``text`` is what it means, for whoever hears it."""
        self.props["value"] = value
        self.props["aria-valuetext"] = text
        self.update()

    def follow(self, moved: Callable[[float], object], rested: Callable[[float], object]) -> None:
        """Be told while it moves and when it rests."""
        value = "(event) => emit(parseFloat(event.target.value))"
        self.on("input", lambda event: moved(float(event.args)), throttle=0.05, js_handler=value)
        self.on("change", lambda event: rested(float(event.args)), js_handler=value)


@dataclass(frozen=True)
class Dial:
    """The three parts, to be set from elsewhere."""

    slider: Slider
    number: Any
    sentence: Any
    tell: Callable[[float], str]

    def show(self, value: float) -> None:
        """Show a value, as if somebody had moved the slider there."""
        told = self.tell(value)
        self.slider.show(value, told)
        self.number.set_value(value)
        self.sentence.set_text(told)


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
    sentence = ui.label(tell(value)).classes("sentence")
    with ui.element("div").classes("dial"):
        slider = Slider(title, low=low, high=high, step=step, value=min(max(value, low), high))
        slider.props["aria-valuetext"] = tell(value)
        number = ui.number(title, value=value, min=low, max=high if most is None else most, step=step)
        number.props("outlined dense").classes("dial-number")
        if suffix:
            number.props["suffix"] = suffix
    knob = Dial(slider, number, sentence, tell)

    def plain(position: float) -> float:
        return round(position, 6) if step % 1 else int(position)

    def rested(position: float) -> None:
        knob.show(plain(position))
        save(plain(position))

    def entered() -> None:
        if number.value is not None:
            rested(min(max(float(number.value), low), high if most is None else most))

    def moved(position: float) -> None:
        number.set_value(plain(position))
        sentence.set_text(tell(plain(position)))

    slider.follow(moved, rested)
    number.on("change", entered)
    return knob
