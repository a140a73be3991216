/**
 * Operations on many jobs in a database. Not part of the API.
 */
@NullMarked
package io.ojs.jdbc.internal.bulk;

import org.jspecify.annotations.NullMarked;
