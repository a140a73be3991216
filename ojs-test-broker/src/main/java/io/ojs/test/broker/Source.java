package io.ojs.test.broker;

import java.util.function.Function;

/**
 * One place that can provide a broker, or an installation that can run one.
 *
 * @param <T> the type of the object searched for
 */
interface Source<T> {

	/**
	 * The name of the place in messages.
	 */
	String name();

	/**
	 * Searches this place. An exception means that the place should have the object but
	 * does not: the caller reports it and continues with the next place.
	 */
	Lookup<T> look();

	default <R> Source<R> map(Function<T, R> next) {
		Source<T> self = this;
		return new Source<>() {

			@Override
			public String name() {
				return self.name();
			}

			@Override
			public Lookup<R> look() {
				Lookup<T> lookup = self.look();
				if (lookup instanceof Lookup.Found<T> found) {
					return new Lookup.Found<>(next.apply(found.value()));
				}
				return new Lookup.Absent<>(((Lookup.Absent<T>) lookup).reason());
			}
		};
	}

}
