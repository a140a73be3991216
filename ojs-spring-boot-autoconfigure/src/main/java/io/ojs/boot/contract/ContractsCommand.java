package io.ojs.boot.contract;

import java.io.IOException;
import java.nio.file.Path;

import io.ojs.amqp.QueueContracts;
import io.ojs.boot.InvalidConfigurationException;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Writes the descriptions of all queues and ends the process with status 0. It runs when
 * all beans exist and nothing has been started: no server, no worker, no connection.
 */
final class ContractsCommand implements SmartInitializingSingleton {

	private final QueueContracts contracts;

	private final @Nullable Path directory;

	ContractsCommand(QueueContracts contracts, @Nullable Path directory) {
		this.contracts = contracts;
		this.directory = directory;
	}

	@Override
	public void afterSingletonsInstantiated() {
		if (this.directory == null) {
			throw new InvalidConfigurationException("ojs.contracts.directory", "", "is empty",
					"Set it to a directory, or remove it.");
		}
		write(this.directory);
		System.exit(0);
	}

	private void write(Path into) {
		try {
			this.contracts.write(into);
		}
		catch (IOException ex) {
			throw new InvalidConfigurationException("ojs.contracts.directory", into,
					"cannot be written to (%s)".formatted(ex), "Choose a directory that can be made and written to.");
		}
	}

}
