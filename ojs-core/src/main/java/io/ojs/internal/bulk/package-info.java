/**
 * Operations on many jobs that any process continues: replays, cancellations, deletions.
 * Not part of the API.
 */
@NullMarked
package io.ojs.internal.bulk;

import org.jspecify.annotations.NullMarked;
