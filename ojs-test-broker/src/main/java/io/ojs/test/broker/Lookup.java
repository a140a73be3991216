package io.ojs.test.broker;

/**
 * The result of a search in one source.
 *
 * @param <T> the type of the object searched for
 */
sealed interface Lookup<T> {

	/**
	 * The source has it.
	 */
	record Found<T>(T value) implements Lookup<T> {

	}

	/**
	 * The source does not have it, for a reason that fits behind the name of the source.
	 */
	record Absent<T>(String reason) implements Lookup<T> {

	}

}
