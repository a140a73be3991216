package io.ojs.boot.it;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.ojs.handler.JobContext;
import io.ojs.handler.OjsJobHandler;
import io.ojs.job.JobVersion;
import io.ojs.tenant.Tenants;
import org.jspecify.annotations.Nullable;

/**
 * The handlers of a cell, and what they have seen, which survives the application.
 */
class MatrixWork {

	static final String TYPE = "cell.work";

	static final String QUEUE = "cell";

	static final String WORKS = "works";

	/** Fails the first time. */
	static final String RECOVERS = "recovers";

	/** Fails until it is replayed. */
	static final String DIES = "dies";

	/** Runs until {@link #release}. */
	static final String WAITS = "waits";

	static final List<Run> runs = new CopyOnWriteArrayList<>();

	/** What jobs of the type {@code cell.begin} do, by their number. */
	static final Map<Integer, Runnable> begins = new ConcurrentHashMap<>();

	static final AtomicInteger mostAtOnce = new AtomicInteger();

	private static volatile CountDownLatch release = new CountDownLatch(1);

	private final Tenants tenants;

	private final AtomicInteger atOnce = new AtomicInteger();

	MatrixWork(Tenants tenants) {
		this.tenants = tenants;
	}

	static void forget() {
		runs.clear();
		begins.clear();
		mostAtOnce.set(0);
		release = new CountDownLatch(1);
	}

	static void release() {
		release.countDown();
	}

	static List<Run> runs(String id) {
		return runs.stream().filter((run) -> run.id().equals(id)).toList();
	}

	@OjsJobHandler(value = "cell.begin", queue = QUEUE)
	void begin(String how, String secret, int number) {
		begins.get(number).run();
	}

	/** What comes last is added by an upcaster, if there is one. */
	@OjsJobHandler(value = TYPE, queue = QUEUE, concurrency = 4, versions = "${cell.versions:*}")
	String work(JobContext context, String how, String secret, int number, Optional<String> added)
			throws InterruptedException {
		mostAtOnce.accumulateAndGet(this.atOnce.incrementAndGet(), Math::max);
		try {
			runs.add(new Run(context.job().id(), how, secret, context.attempt(), this.tenants.current().orElse(null),
					context.job().version(), added.orElse(null), context.attributes().get("around"),
					new ArrayList<>(context.parentResults())));
			if (fails(how, context)) {
				throw new IllegalStateException("no luck");
			}
			if (how.equals(WAITS) && !release.await(30, TimeUnit.SECONDS)) {
				throw new IllegalStateException("nobody releases it");
			}
			return how;
		}
		finally {
			this.atOnce.decrementAndGet();
		}
	}

	private static boolean fails(String how, JobContext context) {
		return (how.equals(RECOVERS) && context.attempt() == 1)
				|| (how.equals(DIES) && !context.job().meta().containsKey("ojs.replay_count"));
	}

	/**
	 * What a handler has seen.
	 */
	record Run(String id, String how, String secret, int attempt, @Nullable String tenant, @Nullable JobVersion version,
			@Nullable String added, @Nullable Object around, List<@Nullable Object> parents) {
	}

}
