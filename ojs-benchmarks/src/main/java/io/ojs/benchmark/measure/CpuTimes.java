package io.ojs.benchmark.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;

/**
 * CPU seconds of this JVM, the broker and the database up to a moment, as Linux counts
 * them.
 *
 * @param jvm of this JVM
 * @param broker of the broker, 0 without one
 * @param database of the database with its children, those that have ended included; 0
 * without one
 */
record CpuTimes(double jvm, double broker, double database) {

	/** What the kernel counts in, on every Linux that Java runs on. */
	private static final double TICKS_PER_SECOND = 100;

	/** Places of utime, stime, cutime and cstime behind the name of the program. */
	private static final int[] OWN = { 11, 12 };

	private static final int[] WITH_ENDED_CHILDREN = { 11, 12, 13, 14 };

	static CpuTimes now(Task task) {
		return new CpuTimes(of(ProcessHandle.current().pid(), OWN), withChildren(task.brokerPid()),
				withChildren(task.databasePid()));
	}

	private static double withChildren(long pid) {
		if (pid == 0) {
			return 0;
		}
		try (Stream<ProcessHandle> all = ProcessHandle.of(pid).stream().flatMap(ProcessHandle::descendants)) {
			return of(pid, WITH_ENDED_CHILDREN)
					+ all.mapToDouble((child) -> of(child.pid(), WITH_ENDED_CHILDREN)).sum();
		}
	}

	private static double of(long pid, int[] places) {
		try {
			String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
			String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
			long ticks = 0;
			for (int place : places) {
				ticks += Long.parseLong(fields[place]);
			}
			return ticks / TICKS_PER_SECOND;
		}
		catch (IOException ex) {
			// It has just ended; its parent has its time.
			return 0;
		}
	}

	/** Of all of them together. */
	double all() {
		return this.jvm + this.broker + this.database;
	}

	/**
	 * What was used since, for each 10,000 jobs.
	 * @param before the beginning
	 * @param jobs how many jobs
	 * @param figures gets the figures
	 */
	void since(CpuTimes before, long jobs, Map<String, Double> figures) {
		double share = 10_000.0 / jobs;
		figures.put("cpu.jvm", (this.jvm - before.jvm) * share);
		figures.put("cpu.broker", (this.broker - before.broker) * share);
		figures.put("cpu.database", (this.database - before.database) * share);
		figures.put("cpu.all", figures.get("cpu.jvm") + figures.get("cpu.broker") + figures.get("cpu.database"));
	}

}
