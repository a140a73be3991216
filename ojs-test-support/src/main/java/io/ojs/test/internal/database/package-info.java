/**
 * A real PostgreSQL for tests, without Docker. Begin at
 * {@link io.ojs.test.database.PostgresServer#shared()}.
 */
@NullMarked
package io.ojs.test.internal.database;

import org.jspecify.annotations.NullMarked;
