package io.ojs.amqp.internal.order;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The shard of a key, as any other language computes it.
 */
class ShardHashTests {

	/** Made with Python: {@code zlib.crc32(key.encode()) % shards}. */
	@ParameterizedTest
	@CsvSource({ "customer-17, 1, 7, 223", "customer-18, 0, 6, 78", "'', 0, 0, 0", "Müller, 1, 5, 197",
			"注文-42, 1, 3, 235" })
	void keysHaveTheShardsThatAreDocumented(String key, int of2, int of8, int of256) {
		assertThat(ShardHash.shard(key, 2)).isEqualTo(of2);
		assertThat(ShardHash.shard(key, 8)).isEqualTo(of8);
		assertThat(ShardHash.shard(key, 256)).isEqualTo(of256);
	}

}
