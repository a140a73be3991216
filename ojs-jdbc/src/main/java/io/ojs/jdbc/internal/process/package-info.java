/**
 * Which processes live, in the database. Not part of the API.
 */
@NullMarked
package io.ojs.jdbc.internal.process;

import org.jspecify.annotations.NullMarked;
