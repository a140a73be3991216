/**
 * Creates and migrates the tables. Not part of the API.
 */
@NullMarked
package io.ojs.jdbc.internal.schema;

import org.jspecify.annotations.NullMarked;
