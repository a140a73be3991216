package io.ojs.amqp.internal.observe;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

import io.micrometer.core.instrument.Tags;

/**
 * Meters by two tags. Finding an existing meter allocates nothing.
 *
 * @param <M> the kind of meter
 */
final class MeterTable<M> {

	private final Map<String, Map<String, M>> meters = new ConcurrentHashMap<>();

	private final String first;

	private final String second;

	private final Function<Tags, M> register;

	MeterTable(String first, String second, Function<Tags, M> register) {
		this.first = first;
		this.second = second;
		this.register = register;
	}

	M of(String one, String other) {
		Map<String, M> row = this.meters.get(one);
		M known = (row != null) ? row.get(other) : null;
		return (known != null) ? known : this.meters.computeIfAbsent(one, (name) -> new ConcurrentHashMap<>())
			.computeIfAbsent(other, (name) -> this.register.apply(Tags.of(this.first, one, this.second, other)));
	}

}
