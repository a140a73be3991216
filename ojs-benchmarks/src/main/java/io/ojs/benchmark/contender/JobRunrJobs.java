package io.ojs.benchmark.contender;

/** The jobs of JobRunr, which finds them by their names. */
public final class JobRunrJobs {

	/** Set before jobs are worked; one per process. */
	static volatile Handler handler = (sentAt) -> {
	};

	private JobRunrJobs() {
	}

	/**
	 * Runs one; arguments are as simple as its documentation wants them, so that lambdas
	 * are analyzed once.
	 * @param sentAt see {@link Payload}
	 * @param text see {@link Payload}
	 */
	public static void run(long sentAt, String text) {
		handler.handle(sentAt);
	}

}
