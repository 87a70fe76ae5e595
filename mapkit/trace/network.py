"""From a source package to its network: station lists, then traced lines, then names to show."""

from mapkit.model.network import Network
from mapkit.model.source import Source
from mapkit.trace.stations import trace_stations, with_short_names


def trace(source: Source) -> Network:
    """Return the network of a source package.

    Raises:
        SourceError: Lines, control points or names do not fit together.
    """
    network = trace_stations(source)
    if source.traced:
        from mapkit.trace.traced import add_traced  # noqa: PLC0415 - boards of station lists need none of it

        network = add_traced(source, network)
    names = [city.name for city in source.cities]
    return network.model_copy(update={"mileposts": with_short_names(network.mileposts, names)})
