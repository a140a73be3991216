/**
 * What a database knows of one job. Not part of the API.
 */
@NullMarked
package io.ojs.jdbc.internal.inspect;

import org.jspecify.annotations.NullMarked;
