package io.ojs.benchmark.measure;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.ojs.benchmark.contender.Contender;
import io.ojs.benchmark.contender.Payload;

/**
 * Enqueues one job after the other: first as fast as it can, so that both processes are
 * compiled, and then at a steady pace, until its input is closed.
 */
final class Pace implements Scenario.Steps {

	/** What it writes when nothing is left of the hurry. */
	static final String STEADY = "steady";

	/** Jobs in a second. */
	static final int PER_SECOND = 200;

	/** How long it is in a hurry at least, in times of the length of a part. */
	private static final int WARM_UP = 5;

	/** Then it takes it easy, whatever the compilers still do. */
	private static final int LONGEST_WARM_UP = 30;

	private static final long INTERVAL = TimeUnit.SECONDS.toNanos(1) / PER_SECOND;

	@Override
	public void run(Task task, Contender contender, Results results) throws Exception {
		hurry(task, contender);
		contender.settle();
		System.out.println(STEADY);
		long next = System.nanoTime();
		while (System.in.available() == 0) {
			contender.enqueue(Payload.now());
			next = Math.max(next + INTERVAL, System.nanoTime() - INTERVAL);
			for (long left = next - System.nanoTime(); left > 0; left = next - System.nanoTime()) {
				LockSupport.parkNanos(left);
			}
		}
	}

	private static void hurry(Task task, Contender contender) throws Exception {
		long part = Math.round(task.seconds() * TimeUnit.SECONDS.toNanos(1));
		Compilers compilers = new Compilers();
		boolean compiled = false;
		for (int parts = 0; parts < WARM_UP || (parts < LONGEST_WARM_UP && !compiled); parts++) {
			long end = System.nanoTime() + part;
			while (System.nanoTime() < end) {
				contender.enqueue(Payload.now());
			}
			compiled = compilers.areQuiet();
		}
	}

}
