package io.ojs.crypto.internal;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.ojs.crypto.EncryptionKey;
import io.ojs.crypto.EncryptionKeys;
import io.ojs.crypto.PayloadCodec;
import io.ojs.crypto.UndecryptableException;
import io.ojs.crypto.UnencodableException;
import io.ojs.crypto.UnknownKeyException;
import io.ojs.internal.json.JsonObjects;

/**
 * Applies the codecs in their order, then the encryption (OJS Encryption §8).
 */
final class PayloadCodecs {

	static final String NO_KEY = "?";

	private static final JsonObjects JSON = new JsonObjects();

	private final EncryptionKeys keys;

	private final Map<String, PayloadCodec> codecs = new LinkedHashMap<>();

	/** Bounds the work for hostile input: compressed data can decompress to itself. */
	private static final int MAX_ENCODINGS = 8;

	private final AesGcm encryption = new AesGcm();

	PayloadCodecs(EncryptionKeys keys, List<PayloadCodec> codecs) {
		this.keys = keys;
		for (PayloadCodec codec : codecs) {
			PayloadCodec other = this.codecs.putIfAbsent(codec.encoding(), codec);
			if (other != null || codec.encoding().equals(AesGcm.ENCODING)) {
				throw new IllegalArgumentException("There are two codecs for the encoding '%s': one of them is %s."
					.formatted(codec.encoding(), codec.getClass().getName()));
			}
		}
	}

	Payload encode(byte[] plain, Map<String, String> boundTo) {
		List<String> encodings = new ArrayList<>(1);
		byte[] bytes = plain;
		for (PayloadCodec codec : this.codecs.values()) {
			byte[] encoded = encode(codec, bytes);
			if (encoded != bytes) {
				encodings.add(codec.encoding());
				bytes = encoded;
			}
		}
		EncryptionKey key = this.keys.active();
		encodings.add(AesGcm.ENCODING);
		return new Payload(this.encryption.encrypt(key, bytes, aad(boundTo)), encodings, key.id(), boundTo);
	}

	/** Additional authenticated data: a JSON object whose members are sorted by name. */
	private static byte[] aad(Map<String, String> boundTo) {
		return boundTo.isEmpty() ? new byte[0] : JSON.write(new TreeMap<>(boundTo));
	}

	/**
	 * Wraps the exception of a codec, so that callers can tell it from a problem with
	 * keys.
	 */
	private static byte[] encode(PayloadCodec codec, byte[] plain) {
		try {
			return codec.encode(plain);
		}
		catch (RuntimeException ex) {
			throw new UnencodableException(codec.encoding(), ex.getClass().getName(), ex);
		}
	}

	/** Undoes all encodings. The exceptions do not show the content. */
	byte[] decode(Payload payload) {
		if (payload.encodings().size() > MAX_ENCODINGS) {
			throw new UndecryptableException((payload.keyId() != null) ? payload.keyId() : NO_KEY,
					"it has %d encodings, and at most %d are undone".formatted(payload.encodings().size(),
							MAX_ENCODINGS));
		}
		byte[] bytes = payload.data();
		for (int i = payload.encodings().size() - 1; i >= 0; i--) {
			bytes = decode(bytes, payload.encodings().get(i), payload);
		}
		return bytes;
	}

	private byte[] decode(byte[] bytes, String encoding, Payload payload) {
		String keyId = payload.keyId();
		if (encoding.equals(AesGcm.ENCODING)) {
			if (keyId == null) {
				throw new UndecryptableException(NO_KEY, "it does not say which key that is");
			}
			return this.encryption.decrypt(this.keys.find(keyId).orElseThrow(() -> new UnknownKeyException(keyId)),
					bytes, aad(payload.boundTo()));
		}
		PayloadCodec codec = this.codecs.get(encoding);
		if (codec == null) {
			throw new UndecryptableException((keyId != null) ? keyId : NO_KEY,
					"nothing here undoes the encoding '%s', which takes a PayloadCodec".formatted(encoding));
		}
		try {
			return codec.decode(bytes);
		}
		catch (RuntimeException ex) {
			throw new UndecryptableException((keyId != null) ? keyId : NO_KEY,
					"the codec of '%s' failed with %s".formatted(encoding, ex.getClass().getName()));
		}
	}

}
