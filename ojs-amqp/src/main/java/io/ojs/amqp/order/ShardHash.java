package io.ojs.amqp.order;

import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;

/**
 * Spreads keys over shards: the CRC-32 of the key's UTF-8 bytes, modulo their number.
 * Every language has it, so that any producer can find the shard of a job.
 */
public final class ShardHash {

	private ShardHash() {
	}

	/**
	 * The shard of a key.
	 * @param key any text
	 * @param shards how many there are, at least 1
	 * @return a number from 0 to one below that
	 */
	public static int shard(String key, int shards) {
		CRC32 crc = new CRC32();
		crc.update(key.getBytes(StandardCharsets.UTF_8));
		return (int) (crc.getValue() % shards);
	}

}
