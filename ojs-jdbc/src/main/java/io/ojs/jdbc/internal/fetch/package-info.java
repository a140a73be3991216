/**
 * Fetching jobs from the database, in turn for the tenants. Not part of the API.
 */
@NullMarked
package io.ojs.jdbc.internal.fetch;

import org.jspecify.annotations.NullMarked;
