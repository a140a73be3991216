package io.ojs.test.broker;

import java.util.function.Function;

/**
 * One place to look for a broker, or for an installation that can run one.
 *
 * @param <T> the type of what is looked for
 */
interface Source<T> {

	/**
	 * The place, as messages name it.
	 */
	String name();

	/**
	 * Looks there. An exception means that it should have been there: it is reported, and
	 * the search goes on.
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
