package io.ojs.test.broker;

/**
 * The outcome of looking for something in one place.
 *
 * @param <T> the type of what is looked for
 */
sealed interface Lookup<T> {

	/**
	 * It is there.
	 */
	record Found<T>(T value) implements Lookup<T> {

	}

	/**
	 * It is not there, and this is why, in words that fit after the place's name.
	 */
	record Absent<T>(String reason) implements Lookup<T> {

	}

}
