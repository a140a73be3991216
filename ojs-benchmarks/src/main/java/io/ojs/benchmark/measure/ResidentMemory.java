package io.ojs.benchmark.measure;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Memory that the kernel has given to a JVM, in megabytes.
 *
 * @param all all of it
 * @param heap the part of it that is heap: what the JVM has used of its heap since the
 * last time that it gave some back
 * @param used what objects take of the heap, those that are garbage included
 */
record ResidentMemory(double all, double heap, double used) {

	private static final double KILOBYTES = 1024;

	/** From where to where a part of the heap may reach, as the JVM tells it. */
	private static final Pattern HEAP = Pattern.compile("\\[0x([0-9a-f]+),.* 0x([0-9a-f]+)\\)");

	/** What objects take of a part of the heap. */
	private static final Pattern USED = Pattern.compile("used (\\d+)K \\[0x");

	/** The first line of what the kernel tells of a range of addresses. */
	private static final Pattern RANGE = Pattern.compile("([0-9a-f]+)-[0-9a-f]+ .*");

	static ResidentMemory of(long pid) throws IOException, InterruptedException {
		// Before the JVM is asked: its answer takes some, too.
		List<String> ranges = Files.readAllLines(Path.of("/proc/" + pid + "/smaps"));
		return of(ranges, ask(pid, "GC.heap_info"));
	}

	/** Has the JVM collect all garbage first, so that only live objects are left. */
	static ResidentMemory afterCollection(long pid) throws IOException, InterruptedException {
		ask(pid, "GC.run");
		return of(pid);
	}

	/** What it would be if the heap had no room that is free. */
	double needed() {
		return this.all - this.heap + this.used;
	}

	private static String ask(long pid, String question) throws IOException, InterruptedException {
		Process jcmd = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
				String.valueOf(pid), question)
			.redirectErrorStream(true)
			.start();
		String answer = new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		if (jcmd.waitFor() != 0) {
			throw new IllegalStateException("jcmd %d %s failed: %s".formatted(pid, question, answer));
		}
		return answer;
	}

	/**
	 * Reads what was answered.
	 * @param ranges what the kernel tells of all ranges of addresses
	 * @param heapInfo what the JVM tells of its heap
	 */
	static ResidentMemory of(List<String> ranges, String heapInfo) {
		long from = -1;
		long to = 0;
		for (Matcher part = HEAP.matcher(heapInfo); part.find();) {
			long start = Long.parseUnsignedLong(part.group(1), 16);
			long end = Long.parseUnsignedLong(part.group(2), 16);
			from = (Long.compareUnsigned(start, from) < 0) ? start : from;
			to = (Long.compareUnsigned(end, to) > 0) ? end : to;
		}
		if (to == 0) {
			throw new IllegalStateException("The JVM does not tell where its heap is: " + heapInfo);
		}
		double all = 0;
		double heap = 0;
		boolean within = false;
		for (String line : ranges) {
			Matcher range = RANGE.matcher(line);
			if (range.matches()) {
				long start = Long.parseUnsignedLong(range.group(1), 16);
				within = Long.compareUnsigned(start, from) >= 0 && Long.compareUnsigned(start, to) < 0;
			}
			else if (line.startsWith("Rss:")) {
				double resident = Long.parseLong(line.replaceAll("\\D", "")) / KILOBYTES;
				all += resident;
				heap += within ? resident : 0;
			}
		}
		if (all == 0) {
			throw new IllegalStateException("The kernel does not tell what memory there is");
		}
		double used = USED.matcher(heapInfo).results().mapToLong((part) -> Long.parseLong(part.group(1))).sum()
				/ KILOBYTES;
		return new ResidentMemory(all, heap, used);
	}

}
