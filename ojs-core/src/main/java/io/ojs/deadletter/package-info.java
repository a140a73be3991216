/**
 * Dead letters that are kept in the store: found, looked at, put back to work, forgotten
 * (OJS Dead Letter).
 */
@NullMarked
package io.ojs.deadletter;

import org.jspecify.annotations.NullMarked;
