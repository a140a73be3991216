/**
 * Deletes rows whose time is over. Not part of the API.
 */
@NullMarked
package io.ojs.jdbc.internal.retention;

import org.jspecify.annotations.NullMarked;
