package io.ojs.boot;

import java.util.List;
import java.util.Map;

import io.ojs.crypto.RequiredEncryption;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.core.io.Resource;
import org.springframework.util.unit.DataSize;

/**
 * Encryption of the arguments of jobs, which then only an application with the key can
 * read.
 *
 * @param activeKey Name of the key that encrypts new jobs; required if there are several
 * keys. The only key by default.
 * @param keys Keys by their names, each 32 bytes in Base64.
 * @param keyFile File of keys, with lines name=key and one line active=name. The
 * application reads it again when it has changed.
 * @param types Types of the jobs to encrypt; a * stands for any characters. All jobs are
 * encrypted if neither types nor queues are set.
 * @param queues Queues whose jobs are encrypted, whatever their types; a * stands for any
 * characters.
 * @param unboundTypes Types whose ciphertext is not bound to its job, so that workers of
 * other implementations can decrypt it; a * stands for any characters.
 * @param require Requirement for jobs of these types and queues that arrive over AMQP or
 * HTTP, or run here: none, encrypted, or bound to their type and tenant.
 * @param compressFrom Size from which on arguments are compressed before encryption. No
 * compression by default.
 * @param codecServer Endpoints that decrypt arguments for tools without keys.
 */
public record EncryptionProperties(@Nullable String activeKey, @DefaultValue Map<String, String> keys,
		@Nullable Resource keyFile, @DefaultValue List<String> types, @DefaultValue List<String> queues,
		@DefaultValue List<String> unboundTypes, @DefaultValue("none") RequiredEncryption require,
		@Nullable DataSize compressFrom, @DefaultValue CodecServerProperties codecServer) {

	/** Whether a key is set, or anything that needs keys. */
	boolean areSet() {
		return !this.keys.isEmpty() || this.keyFile != null || this.activeKey != null || !this.types.isEmpty()
				|| !this.queues.isEmpty() || this.require != RequiredEncryption.NONE || this.codecServer.enabled();
	}

	/** Leaves out the values of the keys. */
	@Override
	public String toString() {
		return "EncryptionProperties[activeKey=%s, keys=%s, keyFile=%s, types=%s, queues=%s]".formatted(this.activeKey,
				this.keys.keySet(), this.keyFile, this.types, this.queues);
	}

	/**
	 * Endpoints that decrypt arguments for tools without keys.
	 *
	 * @param enabled Whether the endpoints /ojs/v1/codec/encode and /ojs/v1/codec/decode
	 * exist; needs Spring Security.
	 * @param requireReason Whether requests to decode have to say why, in the field
	 * reason.
	 */
	public record CodecServerProperties(@DefaultValue("false") boolean enabled,
			@DefaultValue("false") boolean requireReason) {
	}

}
