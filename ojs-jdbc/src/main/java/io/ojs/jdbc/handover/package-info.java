/**
 * Hands jobs over from a database to the broker.
 */
@NullMarked
package io.ojs.jdbc.handover;

import org.jspecify.annotations.NullMarked;
