package io.ojs.crypto.internal;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

import io.ojs.crypto.EncryptionKey;
import io.ojs.crypto.EncryptionKeys;
import io.ojs.crypto.InvalidEncryptionKeyException;

/**
 * Keys that do not change while the application runs.
 */
public final class FixedKeys implements EncryptionKeys {

	private final EncryptionKey active;

	private final Map<String, EncryptionKey> keys;

	/**
	 * Creates the keys.
	 * @throws InvalidEncryptionKeyException if two keys have the same id, or none has the
	 * id of the active one
	 */
	public FixedKeys(String active, Collection<EncryptionKey> keys) {
		Map<String, EncryptionKey> byId = new HashMap<>();
		for (EncryptionKey key : keys) {
			if (byId.put(key.id(), key) != null) {
				throw new InvalidEncryptionKeyException(key.id(), "there are two of that name");
			}
		}
		this.keys = Map.copyOf(byId);
		EncryptionKey found = this.keys.get(active);
		if (found == null) {
			throw new InvalidEncryptionKeyException(active, "it is to be the active one, but the keys are %s"
				.formatted(this.keys.keySet().stream().sorted().toList()));
		}
		this.active = found;
	}

	@Override
	public EncryptionKey active() {
		return this.active;
	}

	@Override
	public Optional<EncryptionKey> find(String id) {
		return Optional.ofNullable(this.keys.get(id));
	}

}
