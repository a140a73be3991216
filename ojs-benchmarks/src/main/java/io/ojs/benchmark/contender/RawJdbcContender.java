package io.ojs.benchmark.contender;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The client of RabbitMQ and rows by hand, one by one: the row is inserted, its message
 * confirmed; who gets it sets the row active, runs the job, sets it completed, and
 * acknowledges.
 */
class RawJdbcContender extends RawContender {

	private final JobRows rows;

	RawJdbcContender(Site site) throws Exception {
		super(site);
		this.rows = new JobRows(site);
	}

	final JobRows rows() {
		return this.rows;
	}

	@Override
	public final void enqueue(Payload job) throws Exception {
		byte[] payload = PayloadBytes.of(job);
		publish(List.of(message(this.rows.insert(payload), payload)));
	}

	@Override
	public void enqueueAll(List<Payload> jobs) throws Exception {
		throw new UnsupportedOperationException();
	}

	@Override
	public final CompletableFuture<?> enqueueAsync(Payload job) {
		throw new UnsupportedOperationException();
	}

	/** The id, and what is in the row. */
	static byte[] message(long id, byte[] payload) {
		return ByteBuffer.allocate(Long.BYTES + payload.length).putLong(id).put(payload).array();
	}

	static long id(byte[] message) {
		return ByteBuffer.wrap(message).getLong();
	}

	@Override
	final long sentAt(byte[] message) {
		return ByteBuffer.wrap(message).getLong(Long.BYTES);
	}

	@Override
	void work(Handler handler, byte[] body) throws IOException {
		long id = id(body);
		try {
			this.rows.set("active", id);
			handler.handle(sentAt(body));
			this.rows.set("completed", id);
		}
		catch (SQLException ex) {
			throw new IOException(ex);
		}
	}

	@Override
	public final void settle() throws Exception {
		super.settle();
		this.rows.settle();
	}

	@Override
	public void close() throws IOException {
		try {
			super.close();
		}
		finally {
			this.rows.close();
		}
	}

}
