package io.ojs.boot;

import java.util.List;
import java.util.Map;

import io.ojs.crypto.EncryptedJobs;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.core.io.Resource;
import org.springframework.util.unit.DataSize;

/**
 * Arguments of jobs that nobody but their handlers can read.
 *
 * @param activeKey Name of the key that jobs are encrypted with. That of the only key by
 * default.
 * @param keys Keys by their names, each 32 bytes in Base64.
 * @param keyFile File with lines of name=key, one of which is active=name; read again
 * when it has changed.
 * @param types Types of the jobs that are encrypted; a star stands for anything. All
 * jobs, if neither types nor queues are named.
 * @param queues Queues whose jobs are encrypted, whatever their types.
 * @param unboundTypes Types whose ciphertext is not bound to its job, since workers of
 * other implementations decrypt it; a star stands for anything.
 * @param require What is demanded of jobs among these that arrive over AMQP or HTTP, or
 * run here: none, encrypted, or bound to their type and tenant.
 * @param compressFrom Size of arguments from which on they are compressed before they are
 * encrypted. Not at all by default.
 * @param codecServer Endpoints that decrypt for tools without keys.
 */
public record EncryptionProperties(@Nullable String activeKey, @DefaultValue Map<String, String> keys,
		@Nullable Resource keyFile, @DefaultValue List<String> types, @DefaultValue List<String> queues,
		@DefaultValue List<String> unboundTypes, @DefaultValue("none") EncryptedJobs.Require require,
		@Nullable DataSize compressFrom, @DefaultValue CodecServerProperties codecServer) {

	/** Without the keys. */
	@Override
	public String toString() {
		return "EncryptionProperties[activeKey=%s, keys=%s, keyFile=%s, types=%s, queues=%s]".formatted(this.activeKey,
				this.keys.keySet(), this.keyFile, this.types, this.queues);
	}

	/**
	 * Endpoints that decrypt for tools without keys.
	 *
	 * @param enabled Whether /ojs/v1/codec/encode and /ojs/v1/codec/decode are there;
	 * needs Spring Security.
	 */
	public record CodecServerProperties(@DefaultValue("false") boolean enabled) {
	}

}
