package io.ojs.boot;

import javax.sql.DataSource;

import io.ojs.jdbc.StoreSchema;
import io.ojs.jdbc.UnsupportedDatabaseException;

import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.jdbc.EmbeddedDatabaseConnection;
import org.springframework.util.ClassUtils;

/**
 * Creates the tables of the job store when the application starts, if that is what was
 * chosen; refuses a database that jobs cannot be kept in.
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
			new StoreSchema(this.dataSource).create();
			return;
		}
		try {
			new StoreSchema(this.dataSource).check();
		}
		catch (UnsupportedDatabaseException ex) {
			throw ex;
		}
		catch (RuntimeException ex) {
			// Of a pool, it can be any. The application may start before its database,
			// and whoever asks that first says what is wrong.
			return;
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
