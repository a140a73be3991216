package io.ojs.benchmark.contender;

/**
 * What a contender works with. Broker and database are empty, and its own.
 *
 * @param brokerUri the AMQP URI of a virtual host
 * @param databaseUrl the JDBC URL of a database of PostgreSQL
 * @param username the user of the database
 * @param password the password of that user
 * @param queueType {@code classic} or {@code quorum}
 * @param virtualThreads whether jobs run on virtual threads, where the contender can
 */
public record Site(String brokerUri, String databaseUrl, String username, String password, String queueType,
		boolean virtualThreads) {

	/** The one queue of the benchmarks. */
	public static final String QUEUE = "bench";

}
