/**
 * Jobs in a database that belong to the broker once it has them.
 */
@NullMarked
package io.ojs.jdbc.handover;

import org.jspecify.annotations.NullMarked;
