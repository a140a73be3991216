package io.ojs.amqp;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Writes the contracts of queues: how a queue is declared, which handlers work it, and
 * when jobs are retried. It asks no broker. The same application always writes the same
 * text, so that a team can keep it with the code and compare it.
 */
public interface QueueContracts {

	/**
	 * The queues that this application knows.
	 * @return OJS queues, in alphabetical order
	 */
	List<String> queues();

	/**
	 * Writes each contract to a file that is named after its queue and ends in
	 * {@code .md}.
	 * @param directory the directory, which is created if it does not exist
	 * @throws IOException if a file cannot be written
	 */
	void write(Path directory) throws IOException;

	/**
	 * The contract of a queue.
	 * @param queue the OJS queue
	 * @return Markdown
	 */
	String markdown(String queue);

}
