package io.ojs.internal.process;

import java.util.List;

/**
 * The processes that work jobs, for operators.
 */
public interface ProcessList {

	/**
	 * Records what a process is and does. Does nothing unless the process has announced
	 * its handlers ({@link io.ojs.internal.version.HandlerStore#announce}).
	 * @param running the number of jobs that it runs
	 */
	void describe(ThisProcess process, int running);

	/**
	 * Lists processes.
	 * @return all that have announced their handlers in the last minutes, by their names
	 */
	List<KnownProcess> list();

}
