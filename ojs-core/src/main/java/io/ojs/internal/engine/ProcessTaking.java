package io.ojs.internal.engine;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.ojs.client.internal.EncodedJob;
import io.ojs.internal.fetch.FetchedRun;
import io.ojs.internal.fetch.ProcessFetch;
import io.ojs.store.internal.attempt.Lease;

/**
 * Starts jobs for a process of this library: some for free threads, others in advance.
 */
public final class ProcessTaking implements Fetching.Taking {

	private final ProcessFetch request;

	private final JobRowCodec codec;

	private final List<FetchedRun> runs = new ArrayList<>();

	private final Map<Lease, JobRow> rows = new LinkedHashMap<>();

	public ProcessTaking(ProcessFetch request, JobRowCodec codec) {
		this.request = request;
		this.codec = codec;
	}

	@Override
	public boolean wants(JobRow row, boolean limited, int taken) {
		return taken < this.request.now()
				|| (row.attempt == 0 && row.maxAttempts > 1 && row.rateKey == null && row.tenant == null && !limited);
	}

	@Override
	public void take(JobRow row, EncodedJob known, boolean limited, Transitions transitions) {
		transitions.start(row, this.request.process(), transitions.now().plus(this.request.lease()));
		Lease lease = new Lease(row.id.toString(), row.run);
		this.runs.add(new FetchedRun(this.codec.stored(row, known), lease, limited));
		this.rows.put(lease, row);
	}

	/**
	 * Returns the runs that have begun.
	 * @return the runs, in the order in which they are to be executed
	 */
	public List<FetchedRun> runs() {
		return List.copyOf(this.runs);
	}

	/** Returns the rows of the runs, as they are now. */
	public Map<Lease, JobRow> rows() {
		return this.rows;
	}

}
