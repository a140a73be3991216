/**
 * The durable job store on Spring JDBC, for PostgreSQL and H2.
 */
@NullMarked
package io.ojs.jdbc;

import org.jspecify.annotations.NullMarked;
