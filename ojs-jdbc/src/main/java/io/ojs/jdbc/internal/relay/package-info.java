/**
 * Jobs that wait for the relay, in the database. Not part of the API.
 */
@NullMarked
package io.ojs.jdbc.internal.relay;

import org.jspecify.annotations.NullMarked;
