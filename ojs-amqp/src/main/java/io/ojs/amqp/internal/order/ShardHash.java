package io.ojs.amqp.internal.order;

import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;

/**
 * Maps keys to shards: the CRC-32 of the key's UTF-8 bytes, modulo the number of shards.
 * Every language has CRC-32, so that any producer can find the shard of a job.
 */
public final class ShardHash {

	private ShardHash() {
	}

	/**
	 * The shard of a key.
	 * @param shards the number of shards, at least 1
	 * @return the shard, from 0 to {@code shards} − 1
	 */
	public static int shard(String key, int shards) {
		CRC32 crc = new CRC32();
		crc.update(key.getBytes(StandardCharsets.UTF_8));
		return (int) (crc.getValue() % shards);
	}

}
