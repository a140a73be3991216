package io.ojs.benchmark.contender;

/**
 * What a job of a benchmark carries: about 200 bytes, as most jobs do.
 *
 * @param sentAt when it was handed over, by {@link System#nanoTime()}, which on Linux is
 * the same clock in all processes
 * @param text makes up the size
 */
public record Payload(long sentAt, String text) {

	private static final String TEXT = "0123456789abcdef".repeat(10);

	/**
	 * A job that is handed over now.
	 * @return its payload
	 */
	public static Payload now() {
		return new Payload(System.nanoTime(), TEXT);
	}

}
