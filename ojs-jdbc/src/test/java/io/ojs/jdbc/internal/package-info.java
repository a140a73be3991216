/**
 * The contracts of the stores, run on each database.
 */
@NullMarked
package io.ojs.jdbc.internal;

import org.jspecify.annotations.NullMarked;
