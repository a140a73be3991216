package io.ojs.benchmark.contender;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rows and nothing around them: inserted, set active and set completed by four workers
 * that are told of them in memory. The floor of what goes with rows; whatever has not run
 * when the process ends is never found again.
 */
final class JdbcContender implements Contender {

	private static final Logger logger = LoggerFactory.getLogger(JdbcContender.class);

	static final int WORKERS = 4;

	private final JobRows rows;

	private final int group;

	private final BlockingQueue<Job> handedOver = new LinkedBlockingQueue<>();

	private final List<Thread> workers = new ArrayList<>();

	private JdbcContender(Site site, int group) throws SQLException {
		this.rows = new JobRows(site);
		this.group = group;
	}

	static JdbcContender oneByOne(Site site) throws SQLException {
		return new JdbcContender(site, 1);
	}

	static JdbcContender grouped(Site site) throws SQLException {
		return new JdbcContender(site, JobRows.GROUP);
	}

	@Override
	public void enqueue(Payload job) throws Exception {
		this.handedOver.add(new Job(this.rows.insert(PayloadBytes.of(job)), job.sentAt()));
	}

	@Override
	public void enqueueAll(List<Payload> jobs) throws Exception {
		for (int from = 0; from < jobs.size(); from += this.group) {
			List<Payload> some = jobs.subList(from, Math.min(from + this.group, jobs.size()));
			long[] ids = this.rows.insert(some.stream().map(PayloadBytes::of).toList());
			for (int i = 0; i < ids.length; i++) {
				this.handedOver.add(new Job(ids[i], some.get(i).sentAt()));
			}
		}
	}

	@Override
	public void work(Handler handler) {
		for (int i = 0; i < WORKERS; i++) {
			Thread worker = new Thread(() -> loop(handler), "worker-" + i);
			worker.start();
			this.workers.add(worker);
		}
	}

	private void loop(Handler handler) {
		List<Job> jobs = new ArrayList<>(this.group);
		try {
			while (!Thread.currentThread().isInterrupted()) {
				Job first = this.handedOver.take();
				jobs.add(first);
				this.handedOver.drainTo(jobs, this.group - 1);
				work(handler, jobs);
				jobs.clear();
			}
		}
		catch (InterruptedException ex) {
			// Closed.
		}
		catch (SQLException ex) {
			logger.error("A worker ends", ex);
		}
	}

	private void work(Handler handler, List<Job> jobs) throws SQLException {
		if (this.group == 1) {
			Job job = jobs.get(0);
			this.rows.set("active", job.id());
			handler.handle(job.sentAt());
			this.rows.set("completed", job.id());
			return;
		}
		Long[] ids = jobs.stream().map(Job::id).toArray(Long[]::new);
		this.rows.set("active", ids);
		jobs.forEach((job) -> handler.handle(job.sentAt()));
		this.rows.set("completed", ids);
	}

	@Override
	public void settle() throws Exception {
		this.rows.settle();
	}

	@Override
	public void close() {
		try {
			for (Thread worker : this.workers) {
				worker.interrupt();
				worker.join(TimeUnit.SECONDS.toMillis(10));
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		this.rows.close();
	}

	private record Job(long id, long sentAt) {

	}

}
