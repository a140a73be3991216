package io.ojs.boot;

import java.util.List;
import java.util.Locale;

import javax.sql.DataSource;

import io.ojs.jdbc.StoreSchema;
import io.ojs.jdbc.UnsupportedDatabaseException;
import io.ojs.store.StoreException;

import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.jdbc.EmbeddedDatabaseConnection;
import org.springframework.util.ClassUtils;

/**
 * Migrates the tables of the job store when the application starts, if that is what was
 * chosen, and otherwise refuses tables that lack migrations; refuses a database that jobs
 * cannot be kept in.
 */
final class StoreInitializer implements InitializingBean {

	/** Without Spring Boot's support of databases, nobody made an embedded one. */
	private static final boolean EMBEDDED_DATABASES = ClassUtils
		.isPresent("org.springframework.boot.jdbc.EmbeddedDatabaseConnection", StoreInitializer.class.getClassLoader());

	private final DataSource dataSource;

	private final OjsProperties.SchemaInitialization mode;

	StoreInitializer(DataSource dataSource, OjsProperties.SchemaInitialization mode) {
		this.dataSource = dataSource;
		this.mode = mode;
	}

	@Override
	public void afterPropertiesSet() {
		if (isWanted()) {
			new StoreSchema(this.dataSource).migrate();
			return;
		}
		List<String> missing = missing();
		if (!missing.isEmpty()) {
			throw new StoreException(
					("The tables of the job store lack the migrations %s. Run these scripts, which are on the class path, "
							+ "or set ojs.store.initialize-schema=always (it is %s).")
						.formatted(String.join(", ", missing), this.mode.name().toLowerCase(Locale.ROOT)),
					null);
		}
	}

	private List<String> missing() {
		try {
			return new StoreSchema(this.dataSource).missing();
		}
		catch (UnsupportedDatabaseException ex) {
			throw ex;
		}
		catch (RuntimeException ex) {
			// Of a pool, it can be any. The application may start before its database,
			// and the first call of the store says what is wrong.
			return List.of();
		}
	}

	private boolean isWanted() {
		return switch (this.mode) {
			case ALWAYS -> true;
			case NEVER -> false;
			case EMBEDDED -> EMBEDDED_DATABASES && EmbeddedDatabaseConnection.isEmbedded(this.dataSource);
		};
	}

}
