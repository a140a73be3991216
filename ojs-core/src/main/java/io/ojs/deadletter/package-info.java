/**
 * Dead letters (OJS Dead Letter): those in the job store, and what replays of them and of
 * those at the broker have in common.
 */
@NullMarked
package io.ojs.deadletter;

import org.jspecify.annotations.NullMarked;
